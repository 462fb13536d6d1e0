{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE RankNTypes #-}

-- | Tasks with results, in groups that cannot be used outside of their scope.
--
-- Threads of the pool execute the tasks while Capabilities are free. A thread that waits for a task executes no other one, so it may
-- hold locks, and an exception that another thread throws to it ('System.Timeout.timeout') strikes no task. A task that nobody has begun
-- when it is waited for begins at once, on a thread of its own. Every task begins after some milliseconds, whatever the others do.
--
-- * An exception of a task is thrown by 'wait', as with @async@. It is not lost if nobody waits: when the group's body has ended, the first
--   such exception ends the group, and 'withTasks' throws it.
-- * An exception of the body, or of a task of 'spawn_', or for the thread that called 'withTasks', ends the group: no task
--   begins any more, those that are under way get t'GHC.OpenMP.Loop.TaskCancelled', and 'withTasks' throws when all have ended. Nothing
--   of a group runs after 'withTasks' has returned or thrown.
-- * Tasks have the masking state of the thread that creates them. Results are not evaluated.
-- * Tasks may wait for each other, and for anything else.
-- * Cost: a group takes some 2 µs; 'spawn' some 0.2 µs; 'wait' little if the task has ended, and some 0.6 µs if it has not begun, because it
--   needs a thread then: together about what @async@ and its @wait@ take. In a bound thread, such as the main one, each wait that
--   sleeps takes some 10 µs, as elsewhere. For divide and conquer 'both' is much cheaper.
--
-- Source: OpenMP 5.2, 12.5 and 15.4.
--
-- @since 0.2.0
module Control.Parallel.OpenMP.Task
  ( TaskGroup
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

import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (unless, void, when)
import Data.IORef
import qualified GHC.OpenMP.Task as Unscoped
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Primitive (awaitMVar, modify)
import GHC.OpenMP.Task.Group (Cell (..), Member (..), Unclaimed (..), abandonAll, countPosted, current, post, pushSpawned)
import qualified GHC.OpenMP.Task.Group as Group
import GHC.OpenMP.Task.Run

-- $setup
-- >>> import Control.Exception
-- >>> import Data.IORef

-- | A group of tasks. The type variable stands for its scope: a group that has ended cannot be named.
--
-- @since 0.2.0
data TaskGroup s = TaskGroup !Group.TaskGroup !(IORef Unclaimed)

-- | @withTasks body@ runs @body@, which may 'spawn' tasks into the group, and returns its result when all of them, and those that they
-- spawned, have ended.
--
-- >>> withTasks $ \g -> do { a <- spawn g (evaluate (sum [1 .. 100])); b <- spawn g (pure 5); (,) <$> wait a <*> wait (negate <$> b) }
-- (5050,-5)
--
-- @since 0.2.0
withTasks :: (forall s. TaskGroup s -> IO a) -> IO a
withTasks body = do
  failures <- newIORef (WhileBodyRuns [])
  known <- newIORef Nothing
  groupOf BeginsAnyway (\made -> do
      writeIORef known (Just made)
      x <- body (TaskGroup made failures)
      x <$ throwUnclaimed failures)
    `onException` (readIORef known >>= mapM_ abandonAll)

-- | The body has ended: the first exception of a task that nobody has waited for.
throwUnclaimed :: IORef Unclaimed -> IO ()
throwUnclaimed failures = atomicModifyIORef' failures ((,) BodyHasEnded) >>= \before -> case before of
  WhileBodyRuns youngestFirst -> mapM_ look (reverse youngestFirst)
  BodyHasEnded -> pure ()
  where look (known, e) = readIORef known >>= \many -> if many > 0 then pure () else throwIO e

-- | A task with a result of type @a@.
--
-- @since 0.2.0
data Task s a = forall b. Task !Group.TaskGroup !(Cell b) !Int (b -> a) -- its number as of 'pushSpawned'

-- | The result, changed by a function whenever somebody waits for it.
instance Functor (Task s) where
  fmap f (Task made cell n g) = Task made cell n (f . g)

-- | Two names for one task are equal.
instance Eq (Task s a) where
  Task _ a _ _ == Task _ b _ _ = claimed a == claimed b

-- | @spawn group action@ lets @action@ be executed by another thread, before 'withTasks' returns, and returns at once. Any thread may call
-- it while the group runs, also a task, and may hold locks.
--
-- @since 0.2.0
spawn :: TaskGroup s -> IO a -> IO (Task s a)
spawn (TaskGroup made failures) action = do
  cell <- newCell failures action
  member <- current made
  let !task = Group.WithResult cell
  n <- if number member >= 0 then pushSpawned member task else post "spawn" made task
  pure (Task made cell n id)

-- | One object, which the compiler does not copy.
newCell :: IORef Unclaimed -> IO a -> IO (Cell a)
newCell failures action = do
  state <- getMaskingState
  Cell state <$> newIORef action <*> newSide <*> newEmptyMVar <*> newIORef 0 <*> pure failures
{-# NOINLINE newCell #-}

-- | Waits for the end of a task, and returns its result, or throws its exception. Any number of threads may wait.
--
-- >>> withTasks (\g -> spawn g (throwIO Overflow) >>= \t -> try (wait t)) :: IO (Either ArithException ())
-- Left arithmetic overflow
--
-- @since 0.2.0
wait :: Task s a -> IO a
wait task = waitCatch task >>= either throwIO pure

-- | The same, with the exception as a value.
--
-- @since 0.2.0
waitCatch :: Task s a -> IO (Either SomeException a)
waitCatch (Task made cell n f) = do
  claim cell 1
  x <- tryReadMVar (result cell) >>= maybe await pure
  either (const (forget cell)) (const (pure ())) x
  pure (f <$> x)
  where
    await = try (begins >> readMVar (result cell)) >>= either again pure
    begins = do
      begun <- isBegun (side cell)
      unless begun (mask_ (beginOnThread made (n /= 0) cell)) -- what is in a deque, or outside, stays there
    again e = do
      x <- case fromException e of
        Just BlockedIndefinitelyOnMVar -> try (readMVar (result cell)) -- perhaps only because the task is, too
        Nothing -> pure (Left e)
      either (\e' -> claim cell (-1) >> throwIO (e' :: SomeException)) pure x

-- | So many more threads wait for it, or have seen its end.
claim :: Cell b -> Int -> IO ()
claim cell n = modify (claimed cell) (\many -> (many + n, ()))

-- | Its failure has been seen.
forget :: Cell b -> IO ()
forget cell = atomicModifyIORef' (unclaimed cell) $ \u -> case u of
  WhileBodyRuns before -> let others = filter ((/= claimed cell) . fst) before in length others `seq` (WhileBodyRuns others, ())
  BodyHasEnded -> (u, ())

-- | Nothing: the task has not ended. Does not wait.
--
-- @since 0.2.0
poll :: Task s a -> IO (Maybe (Either SomeException a))
poll (Task _ cell _ f) = do
  x <- tryReadMVar (result cell)
  case x of
    Just (Left _) -> claim cell 1 >> forget cell
    _ -> pure ()
  pure (fmap f <$> x)

-- | Ends a task, and waits until it has ended: it does not begin, or gets t'GHC.OpenMP.Loop.TaskCancelled', which is what 'wait' throws then. A
-- task that has ended stays as it is. In a handler, use it in 'uninterruptibleMask_', or what comes meanwhile replaces the exception there.
--
-- >>> withTasks (\g -> do { gate <- newEmptyMVar; t <- spawn g (takeMVar gate); cancel t; either (const "ended") id <$> waitCatch t })
-- "ended"
--
-- @since 0.2.0
cancel :: Task s a -> IO ()
cancel (Task made cell n _) = do
  claim cell 1
  never <- mask_ $ do
    never <- end (side cell)
    never <$ when never (void (tryPutMVar (result cell) (Left (endOf (side cell)))) >> when (n /= 0) (countPosted made))
  when (not never) $ void (awaitMVar (readMVar (result cell)))

-- | A task without a result. Its exception ends the group.
--
-- @since 0.2.0
spawn_ :: TaskGroup s -> IO () -> IO ()
spawn_ (TaskGroup made _) = Unscoped.spawn made

-- | @both group first second@ executes both, @second@ as a task if another thread has nothing to do, and returns their results. The first
-- exception of either ends the other one, and is thrown when both have ended. The caller may hold locks. Cost: some 50 ns if no other
-- thread takes the second one.
--
-- >>> let fib g n = if n < 2 then pure n else uncurry (+) <$> both g (fib g (n - 1)) (fib g (n - 2))
-- >>> withTasks (\g -> fib g (15 :: Int))
-- 610
--
-- @since 0.2.0
both :: TaskGroup s -> IO a -> IO b -> IO (a, b)
both (TaskGroup made _) = Unscoped.both made
{-# INLINE both #-}
