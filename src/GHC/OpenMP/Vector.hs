{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}

-- | Vectors that are computed in parallel: storable, primitive, unboxed and boxed ones, through the
-- classes of the package @vector@.
--
-- All functions here are pure. The elements are evaluated (to weak head normal form) on the OpenMP
-- team, and the vector can be used only when it is complete. Exceptions and cost are those of
-- "GHC.OpenMP.Loop"; a vector of at most 64 elements is computed by the calling thread.
module GHC.OpenMP.Vector
  ( parallelGenerate
  , parallelMap
  , parallelZipWith
  , parallelFold
  , parallelFoldMap
    -- * With a schedule
  , Schedule (..)
  , parallelGenerateWith
  , parallelMapWith
  ) where

import Data.Vector.Generic (Vector)
import qualified Data.Vector.Generic as V
import qualified Data.Vector.Generic.Mutable as M
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Reduce
import GHC.OpenMP.Schedule

-- $setup
-- >>> import Data.Monoid (Sum (..))
-- >>> import qualified Data.Vector.Unboxed as U
-- >>> import qualified Data.Vector.Storable as S

-- | @parallelGenerate n f@ has the elements @f 0 … f (n-1)@. It is empty if @n <= 0@.
--
-- >>> parallelGenerate 5 (* 2) :: U.Vector Int
-- [0,2,4,6,8]
--
-- @since 0.1.0
parallelGenerate :: Vector v a => Int -> (Int -> a) -> v a
parallelGenerate = parallelGenerateWith Auto
{-# INLINE parallelGenerate #-}

-- | 'parallelGenerate' with a schedule: use 'Dynamic' if some elements take much longer than
-- others. Sizes of chunks are rounded up to a multiple of 64.
--
-- @since 0.1.0
parallelGenerateWith :: Vector v a => Schedule -> Int -> (Int -> a) -> v a
parallelGenerateWith schedule n f
  | n <= 0 = V.empty
  | n > 1099511627776 = vast n f
  | otherwise =
      let !shape = vectorShape schedule n
      in pureLoop $ do
        made <- M.unsafeNew n
        let element i end | i < end = (M.unsafeWrite made i $! f i) >> element (i + 1) end
                          | otherwise = pure ()
        execute shape (\_ _ -> pure (ofValue (drawChunks element), ()))
        V.unsafeFreeze made
{-# INLINE parallelGenerateWith #-}

-- | No memory holds it: it is refused, by an exception of the value.
vast :: Vector v a => Int -> (Int -> a) -> v a
vast = V.generate
{-# NOINLINE vast #-}

-- | Chunks are multiples of 64 elements, so that two workers never write into the same word of a
-- vector that packs its elements.
vectorShape :: Schedule -> Int -> Shape
vectorShape schedule n = whole { shapeChunk = 64 * max 1 units }
  where
    whole = shapeOf schedule 0 n
    units | shapeChunk whole == 0 = min 128 (n `quot` (64 * 64))
          | otherwise = (min (shapeChunk whole) n + 63) `quot` 64

-- | @parallelMap f v@ is @'V.map' f v@.
--
-- >>> parallelMap sqrt (S.fromList [1, 4, 9]) :: S.Vector Double
-- [1.0,2.0,3.0]
--
-- @since 0.1.0
parallelMap :: (Vector v a, Vector w b) => (a -> b) -> v a -> w b
parallelMap = parallelMapWith Auto
{-# INLINE parallelMap #-}

-- | 'parallelMap' with a schedule; as 'parallelGenerateWith'.
--
-- @since 0.1.0
parallelMapWith :: (Vector v a, Vector w b) => Schedule -> (a -> b) -> v a -> w b
parallelMapWith schedule f v = parallelGenerateWith schedule (V.length v) (f . V.unsafeIndex v)
{-# INLINE parallelMapWith #-}

-- | @parallelZipWith f v w@ is as long as the shorter of the two vectors.
--
-- @since 0.1.0
parallelZipWith :: (Vector u a, Vector v b, Vector w c) => (a -> b -> c) -> u a -> v b -> w c
parallelZipWith f v w = parallelGenerate (min (V.length v) (V.length w)) $ \i ->
  f (V.unsafeIndex v i) (V.unsafeIndex w i)
{-# INLINE parallelZipWith #-}

-- | @parallelFold combine zero v@ combines all elements in order, as
-- 'GHC.OpenMP.Reduce.reduceRange' does: @combine@ is associative, @zero@ neutral.
--
-- >>> parallelFold (+) 0 (U.enumFromN 1 100 :: U.Vector Int)
-- 5050
--
-- @since 0.1.0
parallelFold :: Vector v a => (a -> a -> a) -> a -> v a -> a
parallelFold combine zero v = reduceRange combine zero 0 (V.length v) (V.unsafeIndex v)
{-# INLINE parallelFold #-}

-- | @parallelFoldMap f v@ is @'V.foldMap' f v@: @f@ of all elements, combined by '<>' in order;
-- 'mempty' of an empty vector. '<>' must be associative: each part of the vector is combined on its
-- own, and then the results of the parts. These are evaluated to weak head normal form. The result
-- does not depend on @+RTS -N@.
--
-- >>> getSum (parallelFoldMap Sum (U.enumFromN 1 100 :: U.Vector Int))
-- 5050
--
-- >>> parallelFoldMap show (U.fromList [3, 1, 2 :: Int])
-- "312"
--
-- @since 0.2.0
parallelFoldMap :: (Vector v a, Monoid m) => (a -> m) -> v a -> m
parallelFoldMap f v = foldMapRange 0 (V.length v) (f . V.unsafeIndex v)
{-# INLINE parallelFoldMap #-}
