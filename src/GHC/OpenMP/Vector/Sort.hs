{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MonoLocalBinds #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | A stable merge sort.
--
-- Each block is sorted on its own, by a sequential merge sort. Then passes over the whole vector merge pairs of sorted runs, twice as long
-- each time. A pass fills blocks of the result in parallel. For that it first looks up, by binary search, which part of each of the two
-- runs a block is made of. These parts are disjoint and complete whatever the comparison says. So the result has all elements of the vector also
-- where the comparison contradicts itself, as for NaN.
module GHC.OpenMP.Vector.Sort
  ( parallelSort
  , parallelSortBy
  ) where

import Data.Primitive.ByteArray (MutableByteArray, newByteArray, readByteArray, writeByteArray)
import Data.Vector.Generic (Mutable, Vector)
import qualified Data.Vector.Generic as V
import qualified Data.Vector.Generic.Mutable as M
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Schedule
import GHC.OpenMP.Vector.Blocks

-- $setup
-- >>> import Data.Ord (comparing)
-- >>> import qualified Data.Vector as B
-- >>> import qualified Data.Vector.Unboxed as U

-- | The elements of the vector in ascending order, each evaluated. As 'parallelSortBy'.
--
-- >>> parallelSort (U.fromList [3, 1, 2 :: Int])
-- [1,2,3]
--
-- @since 0.2.0
parallelSort :: (Vector v a, Ord a) => v a -> v a
parallelSort = parallelSortBy compare
{-# INLINE parallelSort #-}

-- | @parallelSortBy compare v@ has the elements of @v@ in the order of @compare@. It is stable, as 'Data.List.sortBy' is: elements that compare
-- 'EQ' stay in their order. If @compare@ contradicts itself, the result has the elements of @v@ in some order, at any @+RTS -N@ the same one.
--
-- Cost: about @n * log2 n@ comparisons, fewer if @v@ is partly sorted. It needs memory for @n@ elements in addition to the result. A
-- vector of @n@ elements is sorted in blocks of @n / 64@, at most 8192, elements; then there are @log2@ of the number of blocks passes over the
-- vector, each in parallel.
--
-- >>> parallelSortBy (comparing negate) (U.fromList [3, 1, 2 :: Int])
-- [3,2,1]
--
-- >>> parallelSortBy (comparing fst) (B.fromList [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')])
-- [(1,'b'),(1,'d'),(2,'a'),(2,'c')]
--
-- @since 0.2.0
parallelSortBy :: forall v a. Vector v a => (a -> a -> Ordering) -> v a -> v a
parallelSortBy order v
  | n == 0 = V.empty
  | otherwise = pureLoop $ do
      one <- M.unsafeNew n
      other <- M.unsafeNew n
      cuts <- newByteArray (8 * (blockCount blocks + 1))
      forBlocks blocks (\_ first end -> sortRange one other first end)
      passes cuts size one other
  where
    n = V.length v
    blocks = blocksOf Auto n
    size = blockSize blocks

    -- Runs of this length are sorted in the first vector. Both vectors may be written.
    passes :: MutableByteArray RealWorld -> Int -> Mutable v RealWorld a -> Mutable v RealWorld a -> IO (v a)
    passes cuts !run from to
      | run >= n = V.unsafeFreeze from
      | otherwise = do
          ofValue (cut cuts run from 1) 0
          forBlocks blocks $ \number first end -> do
            let left = first - first `rem` (2 * run)
                middle = min n (left + run)
                right = min n (left + 2 * run)
                cutAt k place | place == left = pure 0
                              | place == right = pure (middle - left)
                              | otherwise = readByteArray cuts k
            i <- cutAt number first
            i' <- cutAt (number + 1) end
            merge from to (left + i) (left + i') (middle + first - left - i) (middle + end - left - i') first
          passes cuts (2 * run) to from

    -- For each border between blocks, how many elements of the left run come before it. They are looked up from left to right, each between
    -- what the one before and the lengths allow.
    cut :: MutableByteArray RealWorld -> Int -> Mutable v RealWorld a -> Int -> Int -> IO ()
    cut cuts !run from = next
      where
        next !number !before
          | place >= n = pure ()
          | place == left = next (number + 1) 0
          | otherwise = do
              i <- search (max before (place - left - (right - middle))) (min (middle - left) (before + size))
              writeByteArray cuts number i
              next (number + 1) i
          where
            place = number * size
            left = place - place `rem` (2 * run)
            middle = min n (left + run)
            right = min n (left + 2 * run)
            search !low !high
              | low >= high = pure low
              | otherwise = do
                  let i = (low + high) `quot` 2
                  x <- M.unsafeRead from (left + i)
                  y <- M.unsafeRead from (middle + place - left - i - 1)
                  if isAfter x y then search low i else search (i + 1) high

    -- The elements of this range, sorted in the first vector. The second one is written there, too.
    sortRange :: Mutable v RealWorld a -> Mutable v RealWorld a -> Int -> Int -> IO ()
    sortRange to spare !first !end
      | end - first <= inserted = insertAll to first first end
      | otherwise = do
          let middle = first + (end - first) `quot` 2
          sortRange spare to first middle
          sortRange spare to middle end
          merge spare to first middle middle end first

    insertAll :: Mutable v RealWorld a -> Int -> Int -> Int -> IO ()
    insertAll to !first !next !end
      | next >= end = pure ()
      | otherwise = do
          !x <- V.unsafeIndexM v next
          let place !hole
                | hole > first = do
                    y <- M.unsafeRead to (hole - 1)
                    if isAfter y x then M.unsafeWrite to hole y >> place (hole - 1) else M.unsafeWrite to hole x
                | otherwise = M.unsafeWrite to hole x
          place next
          insertAll to first (next + 1) end

    -- The ranges @i … i'-1@ and @j … j'-1@ of a vector, into another one.
    merge :: Mutable v RealWorld a -> Mutable v RealWorld a -> Int -> Int -> Int -> Int -> Int -> IO ()
    merge from to !i !i' !j !j' !at
      | i == i' = copy j j' at
      | j == j' = copy i i' at
      | otherwise = do
          last' <- M.unsafeRead from (i' - 1)
          y <- M.unsafeRead from j
          if isAfter last' y
            then M.unsafeRead from i >>= \x -> step i x j y at
            else copy i i' at >> copy j j' (at + i' - i)
      where
        step !k x !l y !place
          | isAfter x y = do
              M.unsafeWrite to place y
              if l + 1 < j' then M.unsafeRead from (l + 1) >>= \y' -> step k x (l + 1) y' (place + 1)
                            else copy k i' (place + 1)
          | otherwise = do
              M.unsafeWrite to place x
              if k + 1 < i' then M.unsafeRead from (k + 1) >>= \x' -> step (k + 1) x' l y (place + 1)
                            else copy l j' (place + 1)
        copy k k' place = M.unsafeCopy (M.unsafeSlice place (k' - k) to) (M.unsafeSlice k (k' - k) from)

    isAfter x y = case order x y of GT -> True; _ -> False
{-# INLINE parallelSortBy #-}

-- | Ranges up to this length are sorted by insertion.
inserted :: Int
inserted = 16
