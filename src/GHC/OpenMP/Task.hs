-- | Tasks of Haskell, for divide and conquer, and for work whose amount is not known in advance.
--
-- The thread that opens a task group executes the group's body and, while Capabilities are free, workers of
-- the one pool execute tasks. If tasks are left when the body has ended, another thread goes on in place of the first
-- one, which waits. Each has a deque (@cbits/Task.c@): it takes its own youngest task, and if it has
-- none it steals the oldest task of another one. So a group that gets no help costs little more
-- than calling its tasks one after the other: some 0.4 µs for the other thread, but 10 to 60 µs if the first one is bound, as the
-- main thread is.
--
-- After an exception of a task all threads stop before their next task, and 'taskGroup' throws the
-- exception when all have stopped. @timeout@ and @killThread@ on the thread that opened the group
-- have the same effect, and the tasks that are being executed get t'GHC.OpenMP.Loop.TaskCancelled', so that a task that
-- waits for something ends. What is thrown at that thread strikes the body, and no spawned task, where a handler might swallow it.
--
-- Tasks may wait for each other, and the group's body for its tasks: if all threads of the group wait in Haskell for some milliseconds,
-- others come and execute the tasks that are left.
--
-- A thread may hold locks over 'both'. While it waits there, it executes nothing that is not part of what it waits for.
module GHC.OpenMP.Task
  ( TaskGroup
  , taskGroup
  , spawn
  , both
  ) where

import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (void)
import Data.IORef
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Primitive
import GHC.OpenMP.Task.Group
import GHC.OpenMP.Task.Run
import GHC.Stack (HasCallStack, withFrozenCallStack)

-- $setup
-- >>> import Data.IORef

-- ---------------------------------------------------------------------------------- the group

-- | @taskGroup body@ runs @body@, which may 'spawn' tasks into the group, and returns its result when
-- all of them, and those that they spawned, have ended. Source: OpenMP 5.2, 15.4.
--
-- >>> cells <- mapM newIORef [1 .. 5 :: Int]
-- >>> taskGroup (\group -> mapM_ (\c -> spawn group (modifyIORef' c (* 2))) cells)
-- >>> mapM readIORef cells
-- [2,4,6,8,10]
--
-- @since 0.1.0
taskGroup :: (TaskGroup -> IO a) -> IO a
taskGroup = groupOf MayWait

-- ---------------------------------------------------------------------------------- tasks

-- | @spawn group task@ lets @task@ be executed before 'taskGroup' returns: by another thread, or by the calling
-- thread later, when it has ended its own task; in the caller's masking state.
-- Any thread may call it while the group runs, and may hold locks. 'GHC.OpenMP.Refusal.BadArgument' if the group has ended. Cost: about 30 ns
-- in the body of 'taskGroup' and in its tasks, and some 100 ns in other threads, such as helpers of a
-- loop in a task; memory for each task that waits, some 100 bytes. Source: OpenMP 5.2, 12.5.
--
-- @since 0.1.0
spawn :: HasCallStack => TaskGroup -> IO () -> IO ()
spawn made action = do
  member <- current made
  state <- getMaskingState
  let task = Spawned state action
  void (if number member >= 0 then pushSpawned member task else withFrozenCallStack (post "spawn" made task))

-- | @both group first second@ executes both, @second@ as a task of the group, in the caller's masking
-- state, and returns their results. The first exception of either is thrown here, whichever thread has executed it, and when both
-- have ended: it ends the other one by t'GHC.OpenMP.Loop.TaskCancelled', as does an exception that is thrown to the calling thread; or
-- the other one does not begin. If both throw, one of an asynchronous type is thrown rather than one of another type. The exception belongs to the caller, not to the group. The caller may hold locks.
--
-- >>> let fib group n = if n < 2 then pure n else uncurry (+) <$> both group (fib group (n - 1)) (fib group (n - 2))
-- >>> taskGroup (\group -> fib group (15 :: Int))
-- 610
--
-- @since 0.1.0
both :: HasCallStack => TaskGroup -> IO a -> IO b -> IO (a, b)
both made first second = do
  member <- current made
  state <- getMaskingState
  atLeastMasked state $
    if number member >= 0 then bothAsMember member state first second
      else withFrozenCallStack (bothAsGuest made state first second)

bothAsMember :: Member -> MaskingState -> IO a -> IO b -> IO (a, b)
bothAsMember member state first second = do
  self <- executorOf member
  half <- Half state second self <$> newIORef Nothing
  position <- pushSecond member half
  if position < 0 then (,) <$> inState state first <*> inState state second else do
    x <- try (inState state first)
    mine <- takeBack member position
    if mine then either rethrow (\a -> (,) a <$> inState state second) x else do
      gate <- gateOf half
      meet (number member) gate x (awaitSecond member gate)

-- | A thread that is not a member executes the second action itself, if no other thread has begun it.
bothAsGuest :: HasCallStack => TaskGroup -> MaskingState -> IO a -> IO b -> IO (a, b)
bothAsGuest made state first second = do
  self <- newExecutor
  half <- Half state second self <$> newIORef Nothing
  n <- withFrozenCallStack (post "both" made (Second half))
  x <- try (inState state first)
  mine <- takePostedBack made n
  if mine then either rethrow (\a -> (,) a <$> inState state second) x else do
    gate <- gateOf half
    meet guest gate x (awaitMVar (readMVar (outcome gate)))

rethrow :: SomeException -> IO a
rethrow = throwIO

-- | The first action has ended so, on this member, and another thread has the second. Called with exceptions masked.
meet :: Int -> Gate b -> Either SomeException a -> IO (Either SomeException b) -> IO (a, b)
meet me gate x await = do
  retire (firstSide gate)
  case x of
    Right a -> try await >>= either interrupted (either throwIO (pure . (,) a))
    Left e | hasEnded (firstSide gate) e -> await >>= either throwIO (const (throwIO e))
           | otherwise -> interrupted e
  where
    interrupted e = do
      _ <- end (secondSide gate)
      ended <- awaitEnd (readMVar (outcome gate))
      either (ofTwo e) (const (pure e)) ended >>= throwIO
    -- A thread that waits for something else may have executed the second action, and what was thrown to that thread has ended it. The
    -- group's owner is the thread that others know. So of two exceptions that are alike the one on that thread goes on.
    ofTwo e other
      | hasEnded (secondSide gate) other = pure e
      | otherwise = case urgencyOf e other of
          FirstIsMore -> pure e
          SecondIsMore -> pure other
          BothAlike -> do
            executedBy <- tryReadMVar (thief gate)
            pure (if me /= owner && executedBy == Just owner then other else e)
    owner = 0

-- | Waits for the second action, which another thread executes. Meanwhile executes what descends from that action. An exception there,
-- also one that is thrown to the waiting thread, goes the way that it would go if all were called one after the other: to the
-- 'both' whose second action it ends, and in the end to this one.
awaitSecond :: Member -> Gate b -> IO (Either SomeException b)
awaitSecond member gate = tryReadMVar (outcome gate) >>= maybe (awaitMVar (readMVar (thief gate)) >>= await) pure
  where
    await its = if its == guest then awaitMVar (readMVar (outcome gate)) else step its
    step its = waitForThief member its (tryReadMVar (outcome gate)) >>= \news -> case news of
      Right found -> pure found
      Left LookAgain -> takeDescendant member its (isEmptyMVar (outcome gate)) >>= mapM_ meanwhile >> step its
      Left _ -> awaitMVar (readMVar (outcome gate))
    meanwhile task = do -- a second action: the spawned ones are in another deque
      self <- executorOf member
      _ <- performBy self (number member) task
      countDone member
