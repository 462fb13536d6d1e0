{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}

-- | Vectors that are computed in parallel: storable, primitive, unboxed and boxed ones, through the
-- classes of the package @vector@.
--
-- All functions here are pure, but for 'parallelModifyM_'. The elements of a vector that they make are evaluated (to weak head normal
-- form) on the OpenMP team, and the vector can be used only when it is complete. Exceptions and cost are those of
-- "GHC.OpenMP.Loop"; a vector of at most 64 elements is made by the calling thread.
--
-- Each function gives what the function of @vector@ with the same name gives, after @parallel@. No result depends on @+RTS -N@.
module GHC.OpenMP.Vector
  ( -- * Element by element
    parallelGenerate
  , parallelMap
  , parallelImap
  , parallelZipWith
  , parallelIzipWith
  , parallelZipWith3
    -- * Folds
  , parallelFold
  , parallelFoldMap
    -- * Searches
    -- | These stop early, and have the result of a search from the left.
  , parallelFindIndex
  , parallelFind
  , parallelElem
  , parallelNotElem
  , parallelAll
  , parallelAny
    -- * Filters
  , parallelFilter
  , parallelIfilter
  , parallelMapMaybe
  , parallelImapMaybe
    -- * Scans
    -- | The operator must be associative.
  , parallelScanl1
  , parallelScanl
  , parallelPrescanl
  , parallelPostscanl
    -- * Sorting
  , parallelSort
  , parallelSortBy
    -- * In place
  , parallelModifyM_
    -- * With a schedule
  , Schedule (..)
  , parallelGenerateWith
  , parallelMapWith
  , parallelImapWith
  , parallelFilterWith
  , parallelMapMaybeWith
  , parallelModifyMWith_
  ) where

import Data.Vector.Generic (Vector)
import qualified Data.Vector.Generic as V
import GHC.OpenMP.Reduce
import GHC.OpenMP.Schedule
import GHC.OpenMP.Vector.Blocks
import GHC.OpenMP.Vector.Filter
import GHC.OpenMP.Vector.Modify
import GHC.OpenMP.Vector.Scan
import GHC.OpenMP.Vector.Search
import GHC.OpenMP.Vector.Sort

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
parallelGenerateWith schedule n f = filled schedule n (pure . f)
{-# INLINE parallelGenerateWith #-}

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
parallelMapWith schedule f = parallelImapWith schedule (const f)
{-# INLINE parallelMapWith #-}

-- | @parallelImap f v@ is @'V.imap' f v@: 'parallelMap' with a function of the index and the element.
--
-- >>> parallelImap (\i x -> x * fromIntegral i) (U.fromList [5, 6, 7]) :: U.Vector Double
-- [0.0,6.0,14.0]
--
-- @since 0.2.0
parallelImap :: (Vector v a, Vector w b) => (Int -> a -> b) -> v a -> w b
parallelImap = parallelImapWith Auto
{-# INLINE parallelImap #-}

-- | 'parallelImap' with a schedule; as 'parallelGenerateWith'.
--
-- @since 0.2.0
parallelImapWith :: (Vector v a, Vector w b) => Schedule -> (Int -> a -> b) -> v a -> w b
parallelImapWith schedule f v = filled schedule (V.length v) (\i -> f i <$> V.unsafeIndexM v i)
{-# INLINE parallelImapWith #-}

-- | @parallelZipWith f v w@ is as long as the shorter of the two vectors.
--
-- @since 0.1.0
parallelZipWith :: (Vector u a, Vector v b, Vector w c) => (a -> b -> c) -> u a -> v b -> w c
parallelZipWith f = parallelIzipWith (const f)
{-# INLINE parallelZipWith #-}

-- | @parallelIzipWith f v w@ is @'V.izipWith' f v w@: 'parallelZipWith' with a function of the index and the elements.
--
-- >>> parallelIzipWith (\i x y -> i * (x + y)) (U.fromList [1, 2, 3]) (S.fromList [10, 20]) :: U.Vector Int
-- [0,22]
--
-- @since 0.2.0
parallelIzipWith :: (Vector u a, Vector v b, Vector w c) => (Int -> a -> b -> c) -> u a -> v b -> w c
parallelIzipWith f v w = filled Auto (min (V.length v) (V.length w)) $ \i ->
  f i <$> V.unsafeIndexM v i <*> V.unsafeIndexM w i
{-# INLINE parallelIzipWith #-}

-- | @parallelZipWith3 f u v w@ is @'V.zipWith3' f u v w@, as long as the shortest of the vectors.
--
-- >>> let v = U.fromList [1, 2, 3 :: Int] in parallelZipWith3 (\x y z -> x * y + z) v v v :: U.Vector Int
-- [2,6,12]
--
-- @since 0.2.0
parallelZipWith3 :: (Vector t a, Vector u b, Vector v c, Vector w d) => (a -> b -> c -> d) -> t a -> u b -> v c -> w d
parallelZipWith3 f u v w = filled Auto (V.length u `min` V.length v `min` V.length w) $ \i ->
  f <$> V.unsafeIndexM u i <*> V.unsafeIndexM v i <*> V.unsafeIndexM w i
{-# INLINE parallelZipWith3 #-}

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
