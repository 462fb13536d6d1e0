{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}

-- | Programs that a less careful design accepts and gets wrong, at some level of optimisation.
module Regressions (tests) where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (Read, length, read)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "regressions"
  [ testCase "two arrays of one size are two" $ twoArrays @?= ([1, 1, 1, 1], [2, 2, 2, 2])
  , testCase "a read before a write sees what was there" $ readWriteRead @?= (1, 9)
  , testCase "the same, twice over" $ map (const readWriteRead) [1 :: Int, 2] @?= [(1, 9), (1, 9)]
  , testCase "halves do not see each other" $ halves @?= [1, 1, 2, 2]
  , testCase "equal computations on equal arrays" $ sumOfTwo 3 @?= 12
  ]

-- | Common subexpressions: alloc 4 is written twice.
twoArrays :: ([Int], [Int])
twoArrays = unur (alloc 4 (\a ta -> alloc 4 (\b tb -> both (freeze a (fill a 1 ta)) (freeze b (fill b 2 tb)))))
  where
    both :: Ur (P.Vector Int) %1 -> Ur (P.Vector Int) %1 -> Ur ([Int], [Int])
    both (Ur x) (Ur y) = Ur (P.toList x, P.toList y)

readWriteRead :: (Int, Int)
readWriteRead = unur (alloc 1 (\array token ->
  token & write array 0 1 & Linear.read array 0 & \case
    Read before token' -> token' & write array 0 9 & Linear.read array 0 & \case
      Read later token'' -> token'' & done (before, later)))

halves :: [Int]
halves = P.toList (unur (alloc 4 (\array token -> token & halve array & \case
  Slices left l right r -> combine (fill left 1 l) (fill right 2 r) & freeze array)))

sumOfTwo :: Int -> Int
sumOfTwo n = one n + one n

one :: Int -> Int
one k = unur (alloc 2 (\array token ->
  token & fill array k & modify array 1 (+ 0) & Linear.read array 0 & \case
    Read x token' -> token' & Linear.read array 1 & \case
      Read y token'' -> token'' & done (x + y)))
