{-# LANGUAGE BangPatterns #-}

-- | Reductions give the same results as folds of lists.
module Properties.Reduce (tests) where

import Control.Exception
import Control.Monad
import GHC.OpenMP.Reduce
import GHC.OpenMP.Schedule
import Properties.Schedules
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "reduce"
  [ testProperty "is the fold, of an operator that does not commute" notCommutative
  , testProperty "with effects" withEffects
  , testProperty "by chunks" byChunks
  , testProperty "with a schedule" withSchedule
  , testProperty "foldMapRange is foldMap, of a monoid that does not commute" $ \range@(Range from to) ->
      foldMapRange from to pure === listOf' range
  , testCase "an operator that copies its left side, as (++), copies each element few times" copiesFew
  , testCase "short chunks of a long loop" manyChunks
  , testCase "doubles have the same bits every time" sameBits
  , testCase "an exception in an element" throwing
  , testCase "a value under evaluation survives a timeout" survivesTimeout
  ]

listOf' :: Range -> [Int]
listOf' (Range from to) = if from >= to then [] else [from .. to - 1]

-- | Lists by their lengths, and how many elements their making has copied. One after the other, a chunk of 1000 would copy each
-- element 500 times.
copiesFew :: Assertion
copiesFew = do
  few "reduceRange" (reduceRange (<+>) (0, 0) 0 count (const (1, 0)))
  parallelReduce (<+>) (0, 0) 0 count (const (pure (1, 0))) >>= few "parallelReduce"
  where
    count = 200000 :: Int
    (m, copied) <+> (n, copied') = let !all' = copied + copied' + m in (m + n :: Int, all' :: Int)
    few what (n, copied) = do
      n @?= count
      assertBool (what ++ ": " ++ show (copied `quot` n) ++ " copies") (copied < 64 * n)

notCommutative :: Range -> Property
notCommutative range@(Range from to) =
  reduceRange (++) [] from to pure === listOf' range

withEffects :: Range -> Property
withEffects range@(Range from to) =
  ioProperty ((=== sum (map toInteger (listOf' range))) <$> parallelReduce (+) 0 from to (pure . toInteger))

byChunks :: Range -> Property
byChunks range@(Range from to) = ioProperty $
  (=== listOf' range) <$> parallelReduceChunks (++) [] from to (\first end -> pure [first .. end - 1])

withSchedule :: Schedule -> Range -> Property
withSchedule schedule range@(Range from to) = ioProperty $
  (=== listOf' range) <$> parallelReduceWith schedule (++) [] from to (pure . pure)

-- | A thousand million chunks: memory cannot hold a result for each.
manyChunks :: Assertion
manyChunks = do
  counted <- parallelReduceChunksWith (Dynamic 1) (+) 0 0 1000000000 (\first end -> pure (end - first))
  counted @?= 1000000000

sameBits :: Assertion
sameBits = do
  let one = reduceRange (+) 0 0 100000 (\i -> 1 / fromIntegral (i + 1)) :: Double
  sums <- replicateM 20 (parallelReduce (+) 0 0 100000 (\i -> pure (1 / fromIntegral (i + 1))))
  assertBool "all equal" (all (== one) sums)

throwing :: Assertion
throwing = do
  outcome <- try (evaluate (reduceRange (+) 0 0 1000 (\i -> 1000 `div` (i - 500))))
  outcome @?= Left DivideByZero

-- | The value is shared: interrupting one thread must not spoil it for the other.
survivesTimeout :: Assertion
survivesTimeout = do
  let value = reduceRange (+) 0 0 40000000 (\i -> i `rem` 3)
  _ <- timeout 1000 (evaluate value)
  _ <- timeout 3000 (evaluate value)
  evaluate value >>= (@?= 39999999)
