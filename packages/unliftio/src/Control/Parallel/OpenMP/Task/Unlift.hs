{-# LANGUAGE RankNTypes #-}

-- | "Control.Parallel.OpenMP.Task" for actions of any 'MonadUnliftIO'. Each function calls the one with its name there, whose page says what
-- it costs, which exceptions end what, and where a thread waits.
--
-- >>> runReaderT (withTasks (\g -> do { t <- spawn g (asks (* 2)); (,) <$> ask <*> wait t })) (21 :: Int)
-- (21,42)
--
-- @since 0.2.0
module Control.Parallel.OpenMP.Task.Unlift
  ( -- | 'TaskGroup' and 'Task' are those of "Control.Parallel.OpenMP.Task". The type @s@ keeps a task inside of its 'withTasks'.
    TaskGroup
  , withTasks
    -- * Tasks
  , Task
  , spawn
  , wait
  , waitCatch
  , poll
  , cancel
    -- * Without results
  , spawn_
  , both
  ) where

import Control.Exception (SomeException)
import Control.Monad.IO.Unlift
import Control.Parallel.OpenMP.Task (Task, TaskGroup)
import qualified Control.Parallel.OpenMP.Task as Pool

-- $setup
-- >>> import Control.Monad.Trans.Reader

-- | Runs the body, which may 'spawn' tasks into the group, and returns its result when all of them have ended.
--
-- @since 0.2.0
withTasks :: MonadUnliftIO m => (forall s. TaskGroup s -> m a) -> m a
withTasks body = withRunInIO (\run -> Pool.withTasks (\g -> run (body g)))

-- | Lets an action be executed by another thread, before 'withTasks' returns, in the state of the monad that its creator has.
--
-- @since 0.2.0
spawn :: MonadUnliftIO m => TaskGroup s -> m a -> m (Task s a)
spawn g action = withRunInIO (\run -> Pool.spawn g (run action))

-- | Waits for the end of a task, and returns its result, or throws its exception.
--
-- @since 0.2.0
wait :: MonadIO m => Task s a -> m a
wait = liftIO . Pool.wait

-- | The same, with the exception as a value.
--
-- @since 0.2.0
waitCatch :: MonadIO m => Task s a -> m (Either SomeException a)
waitCatch = liftIO . Pool.waitCatch

-- | Nothing: the task has not ended. Does not wait.
--
-- @since 0.2.0
poll :: MonadIO m => Task s a -> m (Maybe (Either SomeException a))
poll = liftIO . Pool.poll

-- | Ends a task, and waits until it has ended.
--
-- @since 0.2.0
cancel :: MonadIO m => Task s a -> m ()
cancel = liftIO . Pool.cancel

-- | A task without a result. Its exception ends the group.
--
-- @since 0.2.0
spawn_ :: MonadUnliftIO m => TaskGroup s -> m () -> m ()
spawn_ g action = withRunInIO (\run -> Pool.spawn_ g (run action))

-- | Executes both actions, the second one as a task if another thread has nothing to do, and returns their results.
--
-- @since 0.2.0
both :: MonadUnliftIO m => TaskGroup s -> m a -> m b -> m (a, b)
both g first second = withRunInIO (\run -> Pool.both g (run first) (run second))
