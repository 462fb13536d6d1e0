-- Tries: runs an IO action on an array of alloc.
-- expect: Effects
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

program :: Int
program = unur (alloc 2 (\array token -> callC (\_ n -> pure n) array token & \case (Ur x, t) -> t & done (x)))
