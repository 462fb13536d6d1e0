{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MonoLocalBinds #-}

-- | The elements that a predicate keeps.
--
-- Each block puts what it keeps at its own place in a vector of the old length. A second pass fills the result in blocks of its own and
-- copies from there. So no two workers write near each other, also where a vector packs its elements into words.
module GHC.OpenMP.Vector.Filter
  ( parallelFilter
  , parallelIfilter
  , parallelMapMaybe
  , parallelImapMaybe
    -- * With a schedule
  , parallelFilterWith
  , parallelMapMaybeWith
  ) where

import Data.Primitive.ByteArray (MutableByteArray, newByteArray, readByteArray, writeByteArray)
import Data.Vector.Generic (Vector)
import qualified Data.Vector.Generic as V
import qualified Data.Vector.Generic.Mutable as M
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Schedule
import GHC.OpenMP.Vector.Blocks

-- $setup
-- >>> import GHC.OpenMP.Schedule
-- >>> import qualified Data.Vector.Unboxed as U

-- | @parallelFilter p v@ is @'V.filter' p v@: the elements for which @p@ holds, in their order. The result's elements are evaluated.
--
-- Cost: @p@ once for each element, and a second pass that copies what is kept. While it runs it needs memory for as many elements as
-- @v@ has, in addition to the result. If all elements are kept, there is no copy.
--
-- >>> parallelFilter even (U.enumFromN 0 10 :: U.Vector Int)
-- [0,2,4,6,8]
--
-- @since 0.2.0
parallelFilter :: Vector v a => (a -> Bool) -> v a -> v a
parallelFilter = parallelFilterWith Auto
{-# INLINE parallelFilter #-}

-- | 'parallelFilter' with a schedule: use 'Dynamic' if @p@ takes much longer for some elements than for others. Sizes of chunks are
-- rounded up to a multiple of 64.
--
-- >>> parallelFilterWith (Dynamic 64) (> 97) (U.enumFromN 0 100 :: U.Vector Int)
-- [98,99]
--
-- @since 0.2.0
parallelFilterWith :: Vector v a => Schedule -> (a -> Bool) -> v a -> v a
parallelFilterWith schedule p = kept schedule (\_ x -> if p x then Just x else Nothing)
{-# INLINE parallelFilterWith #-}

-- | @parallelIfilter p v@ is @'V.ifilter' p v@: 'parallelFilter' with a predicate of the index and the element.
--
-- >>> parallelIfilter (\i x -> i == x) (U.fromList [0, 5, 2, 7 :: Int])
-- [0,2]
--
-- @since 0.2.0
parallelIfilter :: Vector v a => (Int -> a -> Bool) -> v a -> v a
parallelIfilter p = kept Auto (\i x -> if p i x then Just x else Nothing)
{-# INLINE parallelIfilter #-}

-- | @parallelMapMaybe f v@ is @'V.mapMaybe' f v@: what @f@ gives 'Just', in order. Cost as 'parallelFilter'.
--
-- >>> parallelMapMaybe (\x -> if odd x then Just (x * x) else Nothing) (U.enumFromN 0 6 :: U.Vector Int) :: U.Vector Int
-- [1,9,25]
--
-- @since 0.2.0
parallelMapMaybe :: (Vector v a, Vector w b) => (a -> Maybe b) -> v a -> w b
parallelMapMaybe = parallelMapMaybeWith Auto
{-# INLINE parallelMapMaybe #-}

-- | 'parallelMapMaybe' with a schedule; as 'parallelFilterWith'.
--
-- @since 0.2.0
parallelMapMaybeWith :: (Vector v a, Vector w b) => Schedule -> (a -> Maybe b) -> v a -> w b
parallelMapMaybeWith schedule f = kept schedule (const f)
{-# INLINE parallelMapMaybeWith #-}

-- | @parallelImapMaybe f v@ is @'V.imapMaybe' f v@: 'parallelMapMaybe' with a function of the index and the element.
--
-- >>> parallelImapMaybe (\i x -> if x then Just i else Nothing) (U.fromList [True, False, True]) :: U.Vector Int
-- [0,2]
--
-- @since 0.2.0
parallelImapMaybe :: (Vector v a, Vector w b) => (Int -> a -> Maybe b) -> v a -> w b
parallelImapMaybe = kept Auto
{-# INLINE parallelImapMaybe #-}

kept :: (Vector v a, Vector w b) => Schedule -> (Int -> a -> Maybe b) -> v a -> w b
kept schedule f v
  | n == 0 = V.empty
  | otherwise = pureLoop $ do
      found <- M.unsafeNew n
      ends <- newByteArray (8 * blockCount blocks)
      forBlocks blocks $ \number first end -> do
        let go !i !to
              | i < end = V.unsafeIndexM v i >>= \x -> case f i x of
                  Just !y -> M.unsafeWrite found to y >> go (i + 1) (to + 1)
                  Nothing -> go (i + 1) to
              | otherwise = writeByteArray ends number (to - first)
        go first first
      total <- addUp ends (blockCount blocks)
      if total == n then V.unsafeFreeze found else do
        made <- M.unsafeNew total
        forBlocks (blocksOf Auto total) (\_ first end -> gather ends blocks found made first end)
        V.unsafeFreeze made
  where
    n = V.length v
    blocks = blocksOf schedule n
{-# INLINE kept #-}

-- | Numbers of elements become the places where these end. Returns the last.
addUp :: MutableByteArray RealWorld -> Int -> IO Int
addUp numbers count = go 0 0
  where
    go !i !sofar
      | i < count = do
          here <- readByteArray numbers i
          writeByteArray numbers i (sofar + here)
          go (i + 1) (sofar + here)
      | otherwise = pure sofar

-- | Copies the elements @first … end-1@ of the result from the blocks that have them.
gather :: M.MVector v a => MutableByteArray RealWorld -> Blocks -> v RealWorld a -> v RealWorld a -> Int -> Int -> IO ()
gather ends blocks from to first end = firstAfter ends (blockCount blocks) first >>= go first
  where
    go !at !block
      | at >= end = pure ()
      | otherwise = do
          start <- if block == 0 then pure 0 else readByteArray ends (block - 1)
          stop <- min end <$> readByteArray ends block
          M.unsafeCopy (M.unsafeSlice at (stop - at) to) (M.unsafeSlice (block * blockSize blocks + at - start) (stop - at) from)
          go stop (block + 1)
{-# INLINABLE gather #-}

-- | The first of these ends that is greater than a number. The last of them is.
firstAfter :: MutableByteArray RealWorld -> Int -> Int -> IO Int
firstAfter ends count at = go 0 (count - 1)
  where
    go !low !high
      | low >= high = pure low
      | otherwise = do
          let middle = (low + high) `quot` 2
          end <- readByteArray ends middle
          if end > at then go low middle else go (middle + 1) high
