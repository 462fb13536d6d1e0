-- Control: correct versions of what the others try.
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
program = unur (alloc 4 (\array token -> token & fill array 0 & split array 1 & \case
  Slices left l right r -> combine (write left 0 1 l) (write right 0 2 r) & Linear.read array 0 & \case
    (Ur x, whole) -> whole & done x))

inParallel :: Array s Int -> RW s %1 -> (Ur ((), ()), RW s)
inParallel array token =
  parCombine 1 (\left l -> (Ur (), write left 0 1 l)) (\_ r -> (Ur (), r)) array token

inC :: Effects s => Array s Int -> RW s %1 -> Ur Int
inC array token = callC (\_ n -> pure n) array token & \case (Ur x, t) -> t & done x

inC2 :: (Effects s, Effects t) => Array s Int -> Array t Int -> RW s %1 -> RW t %1 -> (Ur Int, RW s, RW t)
inC2 one two s t = callC2 (\_ n _ m -> pure (n + m)) one two s t

besideAnother :: Effects s => Array s Int -> RW s %1 -> (Ur Int, RW s)
besideAnother array token = beside (allocIO 4) (\other t s -> fill other (1 :: Int) t & \t1 -> inC2 other array t1 s & \case
  (Ur n, t2, s2) -> (done n t2, s2)) token

once :: Effects s => RW s %1 -> (Ur Int, RW s)
once token = beside made (\array t s -> (done (length array) t, s)) token

made :: (forall x. Array (InIO x) Int -> RW (InIO x) %1 -> Ur Int) %1 -> IO Int
made use = allocIO 4 use

parts :: Array s Int -> RW s %1 -> RW s
parts array token = chunksOf 2 (\_ part t -> fill part 0 t) array token

vector :: P.Vector Int
vector = unur (alloc 4 (\array token -> token & fill array 0 & freeze array))
