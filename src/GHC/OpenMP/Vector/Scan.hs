{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MonoLocalBinds #-}

-- | Running sums, and the like.
--
-- Each block is combined on its own. One thread then combines these results in order, so that each block has what comes before it. A second
-- pass goes through each block and writes. One pass would do for one worker, but the bits of a sum would then depend on the workers.
module GHC.OpenMP.Vector.Scan
  ( parallelScanl1
  , parallelScanl
  , parallelPrescanl
  , parallelPostscanl
  ) where

import Data.Foldable (for_)
import Data.Primitive.Array (MutableArray, newArray, readArray, writeArray)
import Data.Vector.Generic (Vector)
import qualified Data.Vector.Generic as V
import qualified Data.Vector.Generic.Mutable as M
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Reduce.Halves
import GHC.OpenMP.Schedule
import GHC.OpenMP.Vector.Blocks

-- $setup
-- >>> import qualified Data.Vector.Unboxed as U

-- | @parallelScanl1 f v@ is @'V.scanl1' f v@: element @i@ of the result combines the elements @0 … i@ of @v@. It is empty if
-- @v@ is, as 'V.scanl1' from @vector-0.13@ on.
--
-- @f@ must be associative. It is used about twice for each element, in two passes. It also combines elements that do not begin at the
-- left end, and these results are evaluated, too. A sum of floating-point numbers may differ from that of 'V.scanl1' in its last digits.
-- It does not depend on @+RTS -N@.
--
-- >>> parallelScanl1 (+) (U.fromList [1, 2, 3, 4 :: Int])
-- [1,3,6,10]
--
-- >>> parallelScanl1 max (U.fromList [3, 1, 4, 1, 5 :: Int])
-- [3,3,4,4,5]
--
-- @since 0.2.0
parallelScanl1 :: Vector v a => (a -> a -> a) -> v a -> v a
parallelScanl1 f = inclusive f Nothing
{-# INLINE parallelScanl1 #-}

-- | @parallelPostscanl f start v@ is @'V.postscanl' f start v@: as 'parallelScanl1', with @start@ before the first element. @start@ need
-- not be neutral.
--
-- >>> parallelPostscanl (+) 10 (U.fromList [1, 2, 3 :: Int])
-- [11,13,16]
--
-- @since 0.2.0
parallelPostscanl :: Vector v a => (a -> a -> a) -> a -> v a -> v a
parallelPostscanl f start = inclusive f (Just start)
{-# INLINE parallelPostscanl #-}

-- | @parallelScanl f start v@ is @'V.scanl' f start v@: element @i@ of the result combines @start@ and the first @i@ elements of @v@. It has
-- one element more than @v@. For the rest it is as 'parallelPostscanl'.
--
-- >>> parallelScanl (+) 10 (U.fromList [1, 2, 3 :: Int])
-- [10,11,13,16]
--
-- @since 0.2.0
parallelScanl :: Vector v a => (a -> a -> a) -> a -> v a -> v a
parallelScanl f start v = exclusive f start (V.length v + 1) v
{-# INLINE parallelScanl #-}

-- | @parallelPrescanl f start v@ is @'V.prescanl' f start v@: 'parallelScanl' without the last element, as long as @v@. The offsets of
-- parts that have these lengths, for example.
--
-- >>> parallelPrescanl (+) 0 (U.fromList [3, 1, 2 :: Int])
-- [0,3,4]
--
-- @since 0.2.0
parallelPrescanl :: Vector v a => (a -> a -> a) -> a -> v a -> v a
parallelPrescanl f start v = exclusive f start (V.length v) v
{-# INLINE parallelPrescanl #-}

inclusive :: Vector v a => (a -> a -> a) -> Maybe a -> v a -> v a
inclusive f start v
  | V.null v = V.empty
  | otherwise = pureLoop $ do
      made <- M.unsafeNew (V.length v)
      before <- carries f start blocks v
      let go !sofar !i !end
            | i < end = do
                x <- V.unsafeIndexM v i
                let !next = f sofar x
                M.unsafeWrite made i next
                go next (i + 1) end
            | otherwise = pure ()
      forBlocks blocks $ \number first end -> readArray before number >>= \carry -> case carry of
        Just sofar -> go sofar first end
        Nothing -> do
          !x <- V.unsafeIndexM v first
          M.unsafeWrite made first x
          go x (first + 1) end
      V.unsafeFreeze made
  where blocks = blocksOf Auto (V.length v)
{-# INLINE inclusive #-}

-- | The result has @n@ elements, at most one more than @v@.
exclusive :: Vector v a => (a -> a -> a) -> a -> Int -> v a -> v a
exclusive f start n v
  | n == 0 = V.empty
  | otherwise = pureLoop $ do
      made <- M.unsafeNew n
      before <- carries f (Just start) blocks v
      let go !sofar !i !end = do
            M.unsafeWrite made i sofar
            if i + 1 < end then V.unsafeIndexM v i >>= \x -> go (f sofar x) (i + 1) end else pure ()
      forBlocks blocks (\number first end -> readArray before number >>= mapM_ (\sofar -> go sofar first end))
      V.unsafeFreeze made
  where blocks = blocksOf Auto n
{-# INLINE exclusive #-}

-- | What comes before each block. The last block itself is in none of them.
carries :: Vector v a => (a -> a -> a) -> Maybe a -> Blocks -> v a -> IO (MutableArray RealWorld (Maybe a))
carries f start blocks v = do
  sums <- newArray (blockCount blocks) Nothing
  forBlocks (butLast blocks) $ \number first end -> do
    !x <- inHalves f (V.unsafeIndexM v) first end
    writeArray sums (number + 1) (Just x)
  writeArray sums 0 start
  ofValue (\count -> for_ [1 .. count - 1] (addUp sums)) (blockCount blocks)
  pure sums
  where
    addUp sums number = do
      before <- readArray sums (number - 1)
      own <- readArray sums number
      case f <$> before <*> own of
        Just !x -> writeArray sums number (Just x)
        Nothing -> pure ()
{-# INLINE carries #-}
