-- Control: what the others try, done right, compiles.
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (Read, length, read)

program :: Int
program = unur (alloc 4 (\array token -> token & fill array 0 & split array 1 & \case
  Slices left l right r -> combine (write left 0 1 l) (write right 0 2 r) & Linear.read array 0 & \case
    Read x whole -> whole & done x))

inParallel :: Array s Int -> RW s %1 -> Read s ((), ())
inParallel array token =
  parCombine array 1 (\left l -> Read () (write left 0 1 l)) (\_ r -> Read () r) token

inC :: Effects s => Array s Int -> RW s %1 -> Ur Int
inC array token = callC array (\_ n -> pure n) token & \case Read x t -> t & done x

parts :: Array s Int -> RW s %1 -> RW s
parts array token = chunksOf 2 (\_ part t -> fill part 0 t) array token

vector :: P.Vector Int
vector = unur (alloc 4 (\array token -> token & fill array 0 & freeze array))
