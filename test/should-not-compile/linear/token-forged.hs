-- Tries: makes a token with its constructor.
-- expect: not in scope.*RW|type constructor( or class)? .RW
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

program :: Array s Int -> Ur Int
program array = Linear.read array 0 (RW undefined) & \case (Ur x, t) -> t & done x
