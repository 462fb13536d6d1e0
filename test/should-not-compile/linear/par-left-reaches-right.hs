-- Tries: writes into the whole array in the left side of parCombine.
-- expect: Couldn't match|Couldn.t match type|rigid
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

program :: Array s Int -> RW s %1 -> (Ur ((), ()), RW s)
program array token = parCombine 1 (\_ l -> (Ur (), write array 1 1 l)) (\_ r -> (Ur (), r)) array token
