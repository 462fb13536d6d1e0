{-# LANGUAGE BangPatterns #-}

-- | Reductions over loops.
--
-- The result does not depend on which worker executes which chunk: each chunk is reduced on its
-- own, from left to right, and the results of the chunks are combined in the order of the loop. The
-- size of a chunk depends only on the length of the loop, so a sum of 'Double's has the same bits
-- at any @+RTS -N@. (With the schedules 'Static' and 'Guided' it also depends on the number of
-- workers.)
module GHC.OpenMP.Reduce
  ( -- * With effects
    parallelReduce
  , parallelReduceChunks
    -- * With a schedule
  , parallelReduceWith
  , parallelReduceChunksWith
    -- * Pure
  , reduceRange
  , foldMapRange
  ) where

import Data.Primitive.Array (Array, MutableArray, indexArray, newArray, sizeofArray, unsafeFreezeArray, writeArray)
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Reduce.Halves
import GHC.OpenMP.Schedule
import GHC.Stack (HasCallStack, withFrozenCallStack)

-- $setup
-- >>> import Data.Monoid (Sum (..))
-- >>> import GHC.OpenMP.Reduce (foldMapRange, reduceRange)

-- | @parallelReduce combine zero from to element@ combines @element i@ for @from <= i < to@.
-- @combine@ must be associative with @zero@ as its neutral element; it need not commute. Partial
-- results are evaluated to weak head normal form. Exceptions and cost: as in "GHC.OpenMP.Loop".
--
-- >>> parallelReduce (+) 0 1 101 (pure . fromIntegral) :: IO Integer
-- 5050
--
-- Source: OpenMP 5.2, 5.5.
--
-- @since 0.1.0
parallelReduce :: HasCallStack => (a -> a -> a) -> a -> Int -> Int -> (Int -> IO a) -> IO a
parallelReduce = withFrozenCallStack (parallelReduceWith Auto)
{-# INLINE parallelReduce #-}

-- | 'parallelReduce' with a schedule.
--
-- >>> parallelReduceWith (Dynamic 1) (++) [] 0 5 (\i -> pure [i])
-- [0,1,2,3,4]
--
-- @since 0.1.0
parallelReduceWith :: HasCallStack => Schedule -> (a -> a -> a) -> a -> Int -> Int -> (Int -> IO a) -> IO a
parallelReduceWith schedule combine zero from to element =
  withFrozenCallStack (parallelReduceChunksWith schedule combine zero from to (inHalves combine element))
{-# INLINE parallelReduceWith #-}

-- | The same, but @chunk first end@ gives the result for @first <= i < end@. For chunks that are a
-- loop in C, or that accumulate in a variable of their own.
--
-- >>> parallelReduceChunks max minBound 0 1000 (\_ end -> pure (end - 1))
-- 999
--
-- @since 0.1.0
parallelReduceChunks :: HasCallStack => (a -> a -> a) -> a -> Int -> Int -> (Int -> Int -> IO a) -> IO a
parallelReduceChunks = withFrozenCallStack (parallelReduceChunksWith Auto)
{-# INLINE parallelReduceChunks #-}

-- | 'parallelReduceChunks' with a schedule. If there would be more than about a million chunks,
-- they are longer than the schedule says; @chunk@ then gets them in slices.
--
-- @since 0.1.0
parallelReduceChunksWith :: HasCallStack => Schedule -> (a -> a -> a) -> a -> Int -> Int -> (Int -> Int -> IO a) -> IO a
parallelReduceChunksWith schedule combine zero from to chunk
  | to <= from = pure zero
  | otherwise = do
      results <- reduceChunks id (withFrozenCallStack (reductionShape schedule from to)) combine zero from chunk
      pure $! combineAll combine zero results
{-# INLINE parallelReduceChunksWith #-}

-- | The results of the chunks. @within@ is around what a thread executes.
reduceChunks
  :: ((Share -> IO ()) -> Share -> IO ()) -> Shape -> (a -> a -> a) -> a -> Int -> (Int -> Int -> IO a) -> IO (Array a)
reduceChunks within shape combine zero from chunk = execute shape prepare >>= unsafeFreezeArray
  where
    prepare _ chunks = (\results -> (within (job results), results)) <$> newResults chunks zero
    job results share = drawChunks (store results share) share
    store results share first end = do
      number <- chunkNumber share
      !result <- if end - first > longest then inSlices share zero first end
                                          else chunk (from + first) (from + end)
      putResult results number result
    -- Between slices the loop can be stopped.
    inSlices share !sofar first end = do
      over <- isCancelled share
      if first >= end || over then pure sofar else do
        let next = if end - first > longest then first + longest else end
        x <- chunk (from + first) (from + next)
        giveWay
        inSlices share (combine sofar x) next end
{-# INLINE reduceChunks #-}

-- | As a value. What is evaluated outside of the loop needs no 'ofValue'.
reducePure :: HasCallStack => (a -> a -> a) -> a -> Int -> Int -> (Int -> Int -> IO a) -> a
reducePure combine zero from to chunk
  | to <= from = zero
  | otherwise =
      let !shape = withFrozenCallStack (reductionShape Auto from to)
      in combineAll combine zero (pureLoop (reduceChunks ofValue shape combine zero from chunk))
{-# INLINE reducePure #-}

-- | Without a size in the schedule: 64 chunks, fewer in a short loop, more in a very long one, for
-- any number of workers. Each chunk has a result, so there are never more than about a million.
reductionShape :: HasCallStack => Schedule -> Int -> Int -> Shape
reductionShape schedule from to
  | Auto <- schedule = whole { shapeChunk = max least (min 8192 (count `quot` chunks)) }
  | least > 1 = whole { shapeChunk = max least (shapeChunk whole) }
  | otherwise = whole
  where
    whole = withFrozenCallStack (shapeOf schedule from to)
    count = shapeCount whole
    least = max 1 (count `quot` 1048576)
    chunks | count < 128 = 16
           | count < 2048 = 32
           | otherwise = 64

-- | The number of iterations between two checks whether the loop should stop.
longest :: Int
longest = 1048576

-- | One element for each chunk.
type Results a = MutableArray RealWorld a

newResults :: Int -> a -> IO (Results a)
newResults = newArray

putResult :: Results a -> Int -> a -> IO ()
putResult = writeArray

-- | From the right: a list that '++' puts together is copied once.
combineAll :: (a -> a -> a) -> a -> Array a -> a
combineAll combine zero results = go (sizeofArray results - 1) zero
  where
    go i after
      | i < 0 = after
      | otherwise = let !x = indexArray results i in go (i - 1) $! combine x after

-- | @reduceRange combine zero from to f@ combines @f i@ for @from <= i < to@: 'parallelReduce' for
-- functions, as a value.
--
-- >>> reduceRange (+) 0 0 1000 (\i -> i * i)
-- 332833500
--
-- @since 0.1.0
reduceRange :: HasCallStack => (a -> a -> a) -> a -> Int -> Int -> (Int -> a) -> a
reduceRange combine zero from to f = withFrozenCallStack (reducePure combine zero from to (inHalves combine (pure . f)))
{-# INLINE reduceRange #-}

-- | @foldMapRange from to f@ combines @f i@ by '<>', in the order of the range; 'mempty' of an empty one.
-- 'reduceRange' for a 'Monoid'.
--
-- >>> getSum (foldMapRange 0 1000 Sum)
-- 499500
--
-- >>> foldMapRange 0 5 show
-- "01234"
--
-- @since 0.2.0
foldMapRange :: (HasCallStack, Monoid m) => Int -> Int -> (Int -> m) -> m
foldMapRange from to f = withFrozenCallStack (reducePure (<>) mempty from to (inHalves (<>) (pure . f)))
{-# INLINE foldMapRange #-}
