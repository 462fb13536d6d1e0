{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE ExistentialQuantification #-}

-- | Tasks of Haskell, for divide and conquer, and for work whose amount is not known in advance.
--
-- The thread that opens a task group executes it and, while Capabilities are free, so do workers of
-- the one pool. Each has a deque (@cbits/Task.c@): it takes its own youngest task, and if it has
-- none it steals the oldest task of another one. So a group that gets no help costs little more
-- than calling its tasks one after the other.
--
-- After an exception of a task all threads stop before their next task, and 'taskGroup' throws the
-- exception when all have stopped. @timeout@ and @killThread@ on the thread that opened the group
-- have the same effect, and the tasks that are being executed get 'TaskCancelled', so that a task that
-- waits for something ends.
module GHC.OpenMP.Task
  ( TaskGroup
  , taskGroup
  , spawn
  , both
  ) where

import Control.Concurrent (yield)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (unless, void, when)
import Data.Bits ((.&.))
import Data.Int (Int64)
import Data.IORef
import Data.List (partition)
import Data.Primitive.ByteArray
import Data.Primitive.SmallArray
import Foreign.C.Types (CBool (..), CInt (..))
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Run

-- $setup
-- >>> import Data.IORef

foreign import ccall unsafe "ghcomp_task_worker" c_worker :: Worker -> Int64 -> IO Worker
foreign import ccall unsafe "ghcomp_task_number" c_number :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_room" c_room :: Worker -> Int64 -> IO Int64
foreign import ccall unsafe "ghcomp_task_push" c_push :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_pop" c_pop :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_pop_rest" c_pop_rest :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_take_back" c_take_back :: Worker -> Int64 -> IO CBool
foreign import ccall unsafe "ghcomp_task_look" c_look :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_steal" c_steal :: Worker -> Int64 -> IO CBool
foreign import ccall unsafe "ghcomp_task_done" c_done :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_is_over" c_is_over :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_wait_for_news" c_wait :: Worker -> CBool -> IO CInt
foreign import ccall unsafe "ghcomp_task_tell" c_tell :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_task_will_sleep" c_will_sleep :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_awake" c_awake :: Worker -> IO ()

-- | A task of 'spawn'; or of 'both', with the place for its result. It runs in the masking state of the
-- thread that has created it, as a thread of 'Control.Concurrent.forkIO' does.
data Task
  = Spawned !MaskingState (IO ())
  | forall b. Second !MaskingState (IO b) !(MVar (Either SomeException b))

-- | A group of tasks, inside 'taskGroup'.
--
-- @since 0.1.0
data TaskGroup = TaskGroup
  { firstWorker :: !Worker
  , waiting :: !(SmallArray (SmallMutableArray RealWorld Task))
    -- ^ the elements of each member's deque, at their positions modulo 'capacity'
  , threads :: !(MutableByteArray RealWorld)
    -- ^ the number of the thread that serves as each member; 0: none. Not its @ThreadId@, which
    -- would keep a thread alive that waits for something that cannot happen
  , outside :: !(IORef Outside)
  , alarm :: !(MVar ())
    -- ^ the owner sleeps on it
  , failure :: !(IORef (Maybe SomeException))
    -- ^ the first exception of a spawned task
  , masking :: !MaskingState
    -- ^ the owner's masking state, in which the body runs
  }

-- | Tasks that were spawned by threads which are not members: helpers of a loop in a task, or
-- threads that a task forked. Also says whether the group is over; then no task is accepted.
data Outside = Outside
  { accepted :: !Int           -- ^ tasks, so far
  , queued :: [(Int, Task)]    -- ^ the youngest first, with their numbers
  , running :: !Int            -- ^ tasks that members execute
  , closed :: !Bool
  }

-- | One of the threads that execute the group.
data Member = Member { group :: !TaskGroup, number :: !Int, worker :: !Worker }

-- | The most tasks in one deque. A member with this many executes a new task at once. A power of
-- two.
capacity :: Int
capacity = 256

-- | The result of a task that was abandoned.
data GivenUp = GivenUp

instance Show GivenUp where
  show GivenUp = "GHC.OpenMP: the task was not executed, because its group was given up"

instance Exception GivenUp

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
taskGroup body = do
  result <- newIORef Nothing
  made <- execute taskShape $ \ !first members -> do
    !made <- newGroup first members
    let own member = do
          x <- inState (masking made) (body made)
          untilOver member
          writeIORef result (Just x)
    pure (serve made own, made)
  readIORef (failure made) >>= mapM_ throwIO
  readIORef result >>= maybe (throwIO GivenUp) pure

newGroup :: Worker -> Int -> IO TaskGroup
newGroup first members = do
  deques <- newSmallArray members (error "GHC.OpenMP.Task: a member without a deque")
  mapM_ (\i -> newSmallArray capacity (Spawned Unmasked (pure ())) >>= writeSmallArray deques i) [0 .. members - 1]
  numbers <- newByteArray (members * 8)
  fillByteArray numbers 0 (members * 8) 0
  TaskGroup first <$> unsafeFreezeSmallArray deques <*> pure numbers
    <*> newIORef (Outside 0 [] 0 False) <*> newEmptyMVar <*> newIORef Nothing
    <*> getMaskingState

-- | The job of all members. Member 0 executes the group's body, and returns when the group is over.
-- Exceptions are masked except in the body and the tasks, because an exception between taking a
-- task and executing it would lose the task.
serve :: TaskGroup -> (Member -> IO ()) -> Worker -> IO ()
serve made own w = do
  i <- fromIntegral <$> c_number w
  when (i < sizeofSmallArray (waiting made)) $ masked $ do
    let member = Member made i w
    thread <- myThreadNumber
    writeByteArray (threads made) i thread
    outcome <- try (if i == 0 then own member else helpOut member)
    writeByteArray (threads made) i (0 :: Int64)
    unless (isRight outcome) (giveUp member)
    when (i == 0) (close made)
    either rethrow pure outcome
  where
    masked = if masking made == Unmasked then inState MaskedInterruptible else id
    isRight = either (const False) (const True)
    rethrow e = case fromException e of
      Just GivenUp -> pure ()
      Nothing -> throwIO e

-- | No task begins any more. A thread that waits for a task that has not begun is told so. The
-- owner is woken if it sleeps, because the task that ended by an exception is not counted as done.
giveUp :: Member -> IO ()
giveUp member = c_cancel (worker member) >> drain >> ring (group member)
  where
    drain = do
      found <- takeTask c_pop_rest member
      case found of
        Taken task -> abandon task >> drain
        FromOutside task -> abandon task >> drain
        _ -> pure ()

-- | No task is accepted from now on, and waiting tasks are abandoned. (If 'isOver' has closed the
-- group, there are none.)
close :: TaskGroup -> IO ()
close made = do
  seen <- readIORef (outside made)
  unless (closed seen) $
    atomicModifyIORef' (outside made) (\o -> (o { queued = [], closed = True }, queued o)) >>= mapM_ (abandon . snd)

untilOver :: Member -> IO ()
untilOver member = do
  found <- takeTask c_pop member
  case found of
    Taken task -> runOuter member task >> untilOver member
    FromOutside task -> runFromOutside member task >> untilOver member
    Stop -> throwIO GivenUp
    None -> isOver member >>= (`unless` (idle >> untilOver member))
  where
    idle = do
      waited <- waitFor TasksAndEnds member
      when (waited == NoNews) (sleepUntilRung member)

-- | True: no task is left, and none can come. Only tasks create members' tasks, and threads outside
-- create tasks only through 'outside'. If that was empty before the tasks were counted, and has
-- accepted none since, no thread could have created one.
isOver :: Member -> IO Bool
isOver member = do
  before <- readIORef (outside (group member))
  over <- c_is_over (worker member)
  if over == 0 || running before > 0 || not (null (queued before))
    then pure False
    else do
      unchanged <- replace (outside (group member)) before before { closed = True }
      if unchanged then pure True else closeIfStill before
  where
    closeIfStill before = atomicModifyIORef' (outside (group member)) $ \o ->
      if accepted o == accepted before then (o { closed = True }, True) else (o, False)

sleepUntilRung :: Member -> IO ()
sleepUntilRung member = do
  idle <- c_will_sleep (worker member)
  o <- readIORef (outside made)
  when (idle /= 0 && null (queued o)) $ awaitMVar (takeMVar (alarm made))
  c_awake (worker member)
  where made = group member

ring :: TaskGroup -> IO ()
ring made = void (tryPutMVar (alarm made) ())

-- | Tells that 'outside' has changed, also to members that wait awake, because they do not look
-- there.
tell :: TaskGroup -> IO ()
tell made = c_tell (firstWorker made) >> ring made

-- | A helper that finds no task for a while leaves, because it holds a Capability that others may
-- need.
helpOut :: Member -> IO ()
helpOut member = do
  found <- takeTask c_pop member
  case found of
    Taken task -> runOuter member task >> helpOut member
    FromOutside task -> runFromOutside member task >> helpOut member
    Stop -> throwIO GivenUp
    None -> do
      waited <- waitFor Tasks member
      when (waited == LookAgain) (helpOut member)

-- | What a member that has found no task waits for: a task; or a task or the end of any task.
data News = Tasks | TasksAndEnds

-- | There may be a task; or the group is over, or was given up; or nothing has come for a while.
data Waited = LookAgain | Ended | NoNews
  deriving Eq

waitFor :: News -> Member -> IO Waited
waitFor news member = do
  verdict <- c_wait (worker member) (case news of Tasks -> 0; TasksAndEnds -> 1)
  case verdict of
    0 -> pure LookAgain
    1 -> LookAgain <$ yield
    2 -> pure Ended
    _ -> pure NoNews

-- ---------------------------------------------------------------------------------- tasks

-- | The member that the calling thread serves as. A number below 0: it is not a member.
current :: TaskGroup -> IO Member
current made = myThreadNumber >>= look 0
  where
    look i me
      | i == sizeofSmallArray (waiting made) = pure (Member made (-1) (firstWorker made))
      | otherwise = do
          served <- readByteArray (threads made) i
          if served == me
            then Member made i <$> c_worker (firstWorker made) (fromIntegral i)
            else look (i + 1) me

-- | Pushes a task. Returns its position; -1: it was executed.
push :: Member -> Task -> IO Int64
push member task = do
  position <- c_room (worker member) (fromIntegral capacity)
  if position < 0
    then position <$ mask_ (perform (group member) task (pure ()))
    else do
      writeSmallArray (dequeOf member (number member)) (slot position) task
      sleeps <- c_push (worker member)
      when (sleeps /= 0) (ring (group member))
      pure position

dequeOf :: Member -> Int -> SmallMutableArray RealWorld Task
dequeOf member = indexSmallArray (waiting (group member))

slot :: Int64 -> Int
slot position = fromIntegral position .&. (capacity - 1)

-- | A task from a member's deque, or from outside; or none; or no further task may begin.
data Found = Taken !Task | FromOutside !Task | None | Stop

runTask :: Member -> Task -> IO ()
runTask member task = perform (group member) task (countDone member)

countDone :: Member -> IO ()
countDone member = do
  sleeps <- c_done (worker member)
  when (sleeps /= 0) (ring (group member))

-- | The same, if only the handler of 'serve' is around it, which gives the group up. So an
-- exception of a spawned task need not be caught here, and the task is not counted.
runOuter :: Member -> Task -> IO ()
runOuter member (Spawned state action) = inState state action >> countDone member
runOuter member task = runTask member task

runFromOutside :: Member -> Task -> IO ()
runFromOutside member task = perform made task $ do
  atomicModifyIORef' (outside made) (\o -> (o { running = running o - 1 }, ()))
  tell made
  where made = group member

-- | Executes a task, in its masking state, and then runs the action that must follow it. An
-- exception becomes the group's, or that of the 'both'. But an asynchronous exception is meant for
-- the thread that executes the task at this moment. Called with exceptions masked.
perform :: TaskGroup -> Task -> IO () -> IO ()
perform made (Spawned state action) done = (inState state action `catch` failed) >> done
  where
    failed e = do
      c_cancel (firstWorker made)
      if isAsynchronous e then done >> throwIO e else keep e
    keep e = case fromException e of
      Just GivenUp -> pure ()
      Nothing -> atomicModifyIORef' (failure made) (\first -> (maybe (Just e) Just first, ()))
perform _ (Second state action result) done = do
  wanted <- isEmptyMVar result
  when wanted ((inState state action >>= void . tryPutMVar result . Right) `catch` failed)
  done
  where
    failed e
      | isAsynchronous e = tryPutMVar result givenUp >> done >> throwIO e
      | otherwise = void (tryPutMVar result (Left e))

-- | The group stops early, and the task is not executed.
abandon :: Task -> IO ()
abandon (Spawned _ _) = pure ()
abandon (Second _ _ result) = void (tryPutMVar result givenUp)

-- | The member's own youngest task, or the oldest of another member, or one from outside.
{-# INLINE takeTask #-}
takeTask :: (Worker -> IO Int64) -> Member -> IO Found
takeTask pop member = do
  position <- pop (worker member)
  case position of
    -2 -> pure Stop
    -1 -> stealFrom 1
    _ -> Taken <$> readSmallArray (dequeOf member (number member)) (slot position)
  where
    members = sizeofSmallArray (waiting (group member))
    stealFrom k
      | k >= members = takeFromOutside (group member)
      | otherwise = do
          let victim = (number member + k) `rem` members
          theirs <- c_worker (worker member) (fromIntegral victim)
          position <- c_look theirs
          if position < 0 then stealFrom (k + 1) else do
            task <- readSmallArray (dequeOf member victim) (slot position)
            mine <- c_steal theirs position
            if mine /= 0 then pure (Taken task) else stealFrom k

takeFromOutside :: TaskGroup -> IO Found
takeFromOutside made = do
  seen <- readIORef (outside made)
  if null (queued seen) then pure None else atomicModifyIORef' (outside made) first
  where
    first o = case queued o of
      [] -> (o, None)
      (_, task) : rest -> (o { queued = rest, running = running o + 1 }, FromOutside task)

-- | Posts a task from a thread that is not a member. Returns the task's number.
post :: String -> TaskGroup -> Task -> IO Int
post function made task = do
  taken <- atomicModifyIORef' (outside made) $ \o ->
    let n = accepted o + 1
    in if closed o then (o, Nothing) else (o { accepted = n, queued = (n, task) : queued o }, Just n)
  tell made
  maybe refuse pure taken
  where
    refuse = throwIO . userError $ "GHC.OpenMP.Task." ++ function ++ ": the task group has ended, expected one"
      ++ " whose taskGroup still runs; the task was not spawned"

-- | True: the task no longer waits, and belongs to the calling thread.
takeBack :: TaskGroup -> Int -> IO Bool
takeBack made n = atomicModifyIORef' (outside made) $ \o ->
  let (mine, others) = partition ((== n) . fst) (queued o)
  in (o { queued = others }, not (null mine))

-- | @spawn group task@ lets @task@ be executed before 'taskGroup' returns: by another thread, by
-- the calling thread later, or at once if many tasks wait already; in the caller's masking state.
-- Any thread may call it while the group runs. An 'IOError' if the group has ended. Cost: about 30 ns
-- in the body of 'taskGroup' and in its tasks, and some 100 ns in other threads, such as helpers of a
-- loop in a task. Source: OpenMP 5.2, 12.5.
--
-- @since 0.1.0
spawn :: TaskGroup -> IO () -> IO ()
spawn made task = do
  member <- current made
  state <- getMaskingState
  let new = Spawned state task
  if number member >= 0 then void (push member new) else void (post "spawn" made new)

-- | @both group first second@ executes both, @second@ as a task of the group, in the caller's masking
-- state, and returns their results. An exception of either is thrown here, when both have ended. It
-- belongs to the caller, not to the group. (An asynchronous exception in @first@ is thrown at once.
-- Then @second@ does not begin; if it has begun, it ends before the group does.)
--
-- >>> let fib group n = if n < 2 then pure n else uncurry (+) <$> both group (fib group (n - 1)) (fib group (n - 2))
-- >>> taskGroup (\group -> fib group (15 :: Int))
-- 610
--
-- @since 0.1.0
both :: TaskGroup -> IO a -> IO b -> IO (a, b)
both made first second = do
  result <- newEmptyMVar
  member <- current made
  state <- getMaskingState
  if number member >= 0
    then do
      position <- push member (Second state second result)
      x <- try first
      mine <- either (const (pure False)) (const (takeOwn member position result)) x
      case x of
        Right a | mine -> (,) a <$> second
        _ -> inOrder x result (awaitTask member result)
    else do
      n <- post "both" made (Second state second result)
      x <- try first
      inOrder x result (awaitPosted made n second result)

-- | Takes back the task at this position, which the caller pushed, and counts it as done. The group
-- is not over, because the caller is in a task, or in the body, that is not done. So exceptions
-- need not be masked. False: the task was stolen, or the caller has executed it in a wait.
takeOwn :: Member -> Int64 -> MVar r -> IO Bool
takeOwn member position result = do
  waits <- isEmptyMVar result
  if waits && position >= 0 then (/= 0) <$> c_take_back (worker member) position else pure False

-- | The result of the first task, and then that of the second.
inOrder :: Either SomeException a -> MVar (Either SomeException b) -> IO (Either SomeException b) -> IO (a, b)
inOrder x result await =
  case x of
    Left e | isAsynchronous e -> leave >> throwIO e
    _ -> do
      y <- await `onException` leave
      either (throwIO :: SomeException -> IO r) pure ((,) <$> x <*> y)
  where leave = tryPutMVar result givenUp

givenUp :: Either SomeException b
givenUp = Left (toException GivenUp)

-- | Executes other tasks until the result is there. Sleeps if there are none for a while.
awaitTask :: Member -> MVar r -> IO r
awaitTask member result = tryReadMVar result >>= maybe step pure
  where
    step = do
      found <- mask_ $ do
        found <- takeTask c_pop member
        case found of
          Taken task -> found <$ runTask member task
          FromOutside task -> found <$ runFromOutside member task
          Stop -> found <$ giveUp member
          None -> pure found
      case found of
        None -> do
          waited <- waitFor TasksAndEnds member
          if waited == NoNews then awaitMVar (readMVar result) else awaitTask member result
        Stop -> awaitMVar (readMVar result)
        _ -> awaitTask member result

-- | A thread that is not a member executes the task that it posted, if no other thread has begun
-- it.
awaitPosted :: TaskGroup -> Int -> IO b -> MVar (Either SomeException b) -> IO (Either SomeException b)
awaitPosted made n second result = do
  mine <- takeBack made n
  if mine then try second else awaitMVar (readMVar result)
