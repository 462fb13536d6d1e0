-- | The functions of "Control.Parallel.OpenMP" that take actions, for actions of any 'MonadUnliftIO': loops, reductions and traversals. Each
-- calls the one with its name there, whose page says what it costs and what exceptions do. Pure values and vectors need no monad, and are
-- in "Control.Parallel.OpenMP".
--
-- Cost: that of the function in 'IO', and of the monad in each body. 'withRunInIO' is called once.
--
-- >>> runReaderT (parallelMapM (\x -> asks (+ x)) [1, 2, 3]) (10 :: Int)
-- [11,12,13]
--
-- @since 0.2.0
module Control.Parallel.OpenMP.Unlift
  ( -- * Traversals
    parallelMapM
  , parallelForM
  , parallelReplicateM
  , parallelMapM_
  , parallelForM_
  , parallelReplicateM_
    -- * Loops
  , parallelFor
  , parallelForChunks
    -- * Reductions
  , parallelReduce
  , parallelReduceChunks
    -- * With a schedule

    -- | 'Schedule' is that of "GHC.OpenMP.Schedule": which thread gets which part of a loop, and when. Without one it is 'Auto'.
  , Schedule (..)
  , parallelMapMWith
  , parallelForMWith
  , parallelForWith
  , parallelForChunksWith
  , parallelReduceWith
  , parallelReduceChunksWith
  ) where

import Control.Monad.IO.Unlift
import qualified GHC.OpenMP as Pool
import GHC.OpenMP.Schedule (Schedule (..))
import GHC.Stack (HasCallStack, withFrozenCallStack)

-- $setup
-- >>> import Control.Monad.Trans.Reader

-- | An action for each element, and the structure of their results.
--
-- @since 0.2.0
parallelMapM :: (MonadUnliftIO m, Traversable t) => (a -> m b) -> t a -> m (t b)
parallelMapM f xs = withRunInIO $ \run -> Pool.parallelMapM (run . f) xs

-- | 'parallelMapM' with its arguments in the other order.
--
-- @since 0.2.0
parallelForM :: (MonadUnliftIO m, Traversable t) => t a -> (a -> m b) -> m (t b)
parallelForM = flip parallelMapM

-- | So many times the same action, and their results.
--
-- @since 0.2.0
parallelReplicateM :: MonadUnliftIO m => Int -> m a -> m [a]
parallelReplicateM n action = withRunInIO $ \run -> Pool.parallelReplicateM n (run action)

-- | 'parallelMapM' without results. Walks over the structure while the actions run, which may be endless.
--
-- @since 0.2.0
parallelMapM_ :: (MonadUnliftIO m, Foldable t) => (a -> m b) -> t a -> m ()
parallelMapM_ f xs = withRunInIO $ \run -> Pool.parallelMapM_ (run . f) xs

-- | 'parallelMapM_' with its arguments in the other order.
--
-- @since 0.2.0
parallelForM_ :: (MonadUnliftIO m, Foldable t) => t a -> (a -> m b) -> m ()
parallelForM_ = flip parallelMapM_

-- | 'parallelReplicateM' without results.
--
-- @since 0.2.0
parallelReplicateM_ :: MonadUnliftIO m => Int -> m a -> m ()
parallelReplicateM_ n action = withRunInIO $ \run -> Pool.parallelReplicateM_ n (run action)

-- | 'parallelMapM' with a schedule.
--
-- @since 0.2.0
parallelMapMWith :: (MonadUnliftIO m, Traversable t) => Schedule -> (a -> m b) -> t a -> m (t b)
parallelMapMWith schedule f xs = withRunInIO $ \run -> Pool.parallelMapMWith schedule (run . f) xs

-- | 'parallelForM' with a schedule.
--
-- @since 0.2.0
parallelForMWith :: (MonadUnliftIO m, Traversable t) => Schedule -> t a -> (a -> m b) -> m (t b)
parallelForMWith schedule = flip (parallelMapMWith schedule)

-- | @parallelFor from to body@: @body i@ for @from <= i < to@.
--
-- @since 0.2.0
parallelFor :: (HasCallStack, MonadUnliftIO m) => Int -> Int -> (Int -> m ()) -> m ()
parallelFor = withFrozenCallStack (parallelForWith Auto)
{-# INLINE parallelFor #-}

-- | 'parallelFor' with a schedule.
--
-- @since 0.2.0
parallelForWith :: (HasCallStack, MonadUnliftIO m) => Schedule -> Int -> Int -> (Int -> m ()) -> m ()
parallelForWith schedule from to body = withFrozenCallStack (withRunInIO (\run -> Pool.parallelForWith schedule from to (run . body)))
{-# INLINE parallelForWith #-}

-- | @body first end@ for ranges that together make up @from <= i < to@.
--
-- @since 0.2.0
parallelForChunks :: (HasCallStack, MonadUnliftIO m) => Int -> Int -> (Int -> Int -> m ()) -> m ()
parallelForChunks = withFrozenCallStack (parallelForChunksWith Auto)
{-# INLINE parallelForChunks #-}

-- | 'parallelForChunks' with a schedule.
--
-- @since 0.2.0
parallelForChunksWith :: (HasCallStack, MonadUnliftIO m) => Schedule -> Int -> Int -> (Int -> Int -> m ()) -> m ()
parallelForChunksWith schedule from to body =
  withFrozenCallStack (withRunInIO (\run -> Pool.parallelForChunksWith schedule from to (\first end -> run (body first end))))
{-# INLINE parallelForChunksWith #-}

-- | @parallelReduce combine zero from to element@ combines @element i@ for @from <= i < to@. @combine@ must be associative, with @zero@ as its
-- neutral element.
--
-- @since 0.2.0
parallelReduce :: (HasCallStack, MonadUnliftIO m) => (a -> a -> a) -> a -> Int -> Int -> (Int -> m a) -> m a
parallelReduce = withFrozenCallStack (parallelReduceWith Auto)
{-# INLINE parallelReduce #-}

-- | 'parallelReduce' with a schedule.
--
-- @since 0.2.0
parallelReduceWith :: (HasCallStack, MonadUnliftIO m) => Schedule -> (a -> a -> a) -> a -> Int -> Int -> (Int -> m a) -> m a
parallelReduceWith schedule combine zero from to element =
  withFrozenCallStack (withRunInIO (\run -> Pool.parallelReduceWith schedule combine zero from to (run . element)))
{-# INLINE parallelReduceWith #-}

-- | The same, but @chunk first end@ gives the result for @first <= i < end@.
--
-- @since 0.2.0
parallelReduceChunks :: (HasCallStack, MonadUnliftIO m) => (a -> a -> a) -> a -> Int -> Int -> (Int -> Int -> m a) -> m a
parallelReduceChunks = withFrozenCallStack (parallelReduceChunksWith Auto)
{-# INLINE parallelReduceChunks #-}

-- | 'parallelReduceChunks' with a schedule.
--
-- @since 0.2.0
parallelReduceChunksWith :: (HasCallStack, MonadUnliftIO m) => Schedule -> (a -> a -> a) -> a -> Int -> Int -> (Int -> Int -> m a) -> m a
parallelReduceChunksWith schedule combine zero from to chunk =
  withFrozenCallStack (withRunInIO (\run -> Pool.parallelReduceChunksWith schedule combine zero from to (\first end -> run (chunk first end))))
{-# INLINE parallelReduceChunksWith #-}
