-- Tries: writes into one array with the token of another.
-- expect: Couldn't match|Couldn.t match type
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

program :: Array s Int -> Array t Int -> RW s %1 -> RW s
program _ b token = write b 0 1 token
