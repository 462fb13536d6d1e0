-- | Mutable vectors, in place.
module GHC.OpenMP.Vector.Modify
  ( parallelModifyM_
    -- * With a schedule
  , parallelModifyMWith_
  ) where

import Data.Vector.Generic.Mutable (MVector)
import qualified Data.Vector.Generic.Mutable as M
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Schedule
import GHC.OpenMP.Vector.Blocks

-- $setup
-- >>> import qualified Data.Vector.Unboxed as U
-- >>> import qualified Data.Vector.Unboxed.Mutable as UM

-- | @parallelModifyM_ f v@ replaces each element @x@ by the result of @f i x@, where @i@ is its index. The result is evaluated. @f@ runs
-- once for each index, in any order and in parallel.
--
-- This is a loop with effects, as 'GHC.OpenMP.Loop.parallelFor' is. After an exception some elements are replaced and others are not. @f@
-- may read other elements of @v@ only if nobody writes them. The actions of a chunk run one after the other, so they must not wait
-- for each other.
--
-- Chunks are multiples of 64 elements. If the vector packs several elements into a word, and is a slice of another one, the slice must begin
-- with a word. (The vectors of the package @vector@ do not pack.)
--
-- >>> v <- U.thaw (U.fromList [10, 20, 30 :: Int])
-- >>> parallelModifyM_ (\i x -> pure (x + i)) v
-- >>> U.freeze v
-- [10,21,32]
--
-- @since 0.2.0
parallelModifyM_ :: MVector v a => (Int -> a -> IO a) -> v RealWorld a -> IO ()
parallelModifyM_ = parallelModifyMWith_ Auto
{-# INLINE parallelModifyM_ #-}

-- | 'parallelModifyM_' with a schedule. Sizes of chunks are rounded up to a multiple of 64.
--
-- @since 0.2.0
parallelModifyMWith_ :: MVector v a => Schedule -> (Int -> a -> IO a) -> v RealWorld a -> IO ()
parallelModifyMWith_ schedule f v
  | M.null v = pure ()
  | otherwise = execute (vectorShape schedule (M.length v)) (\_ _ -> pure (drawChunks (inOrder modify), ()))
  where modify i = M.unsafeRead v i >>= f i >>= \x -> M.unsafeWrite v i $! x
{-# INLINE parallelModifyMWith_ #-}
