{-# LANGUAGE InterruptibleFFI #-}

-- | Tasks of Haskell, for divide and conquer, and for work of which nobody knows how much there is.
--
-- A task group is executed by the thread that opens it and, while Capabilities are free, by workers of
-- the one pool. Each has a deque (@cbits/Task.c@): it takes its own youngest task, and steals the
-- oldest of another one where it has none. So a group that gets no help costs little more than calling
-- its tasks one after the other.
--
-- An exception that leaves a task makes everybody stop before the next task, and is thrown by
-- 'taskGroup' when all are quiet. @timeout@ and @killThread@ on the thread that opened the group do the
-- same; they take effect when the tasks that are being executed have ended.
module GHC.OpenMP.Task
  ( TaskGroup
  , taskGroup
  , spawn
  , both
  ) where

import Control.Concurrent (ThreadId, myThreadId, yield)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (unless)
import Data.Bits ((.&.))
import Data.Int (Int64)
import Data.IORef
import Data.Primitive.Array
import Foreign.C.Types (CBool (..), CInt (..))
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Run

-- $setup
-- >>> import Data.IORef

foreign import ccall unsafe "ghcomp_task_worker" c_worker :: Worker -> Int64 -> IO Worker
foreign import ccall unsafe "ghcomp_task_number" c_number :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_room" c_room :: Worker -> Int64 -> IO Int64
foreign import ccall unsafe "ghcomp_task_push" c_push :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_task_pop" c_pop :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_look" c_look :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_steal" c_steal :: Worker -> Int64 -> IO CBool
foreign import ccall unsafe "ghcomp_task_done" c_done :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_task_is_over" c_is_over :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_pause" c_pause :: Worker -> IO CInt
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()
foreign import ccall interruptible "ghcomp_task_sleep" c_sleep :: Worker -> IO ()

-- | Executed, or, when the group stops early, told that it will not be.
data Task = Task { perform :: IO (), abandon :: IO () }

-- | A group of tasks, inside 'taskGroup'.
--
-- @since 0.1.0
data TaskGroup = TaskGroup
  { firstWorker :: !Worker
  , waiting :: !(Array (MutableArray RealWorld Task))
    -- ^ each member's deque, by position modulo 'capacity'
  , threads :: !(MutableArray RealWorld (Maybe ThreadId))
    -- ^ who serves as which member
  }

-- | One of those that execute the group.
data Member = Member { group :: !TaskGroup, number :: !Int, worker :: !Worker }

-- | Tasks that wait in one deque; who has so many executes a new one at once. A power of two.
capacity :: Int
capacity = 256

-- | In place of the result of a task that was abandoned; never seen outside.
data GivenUp = GivenUp deriving (Show)

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
  result <- newIORef (throw GivenUp)
  execute taskShape $ \first members -> do
    made <- newGroup first members
    pure (serve made (body made >>= writeIORef result), ())
  readIORef result

newGroup :: Worker -> Int -> IO TaskGroup
newGroup first members = do
  deques <- newArray members (error "GHC.OpenMP.Task: a member without a deque")
  mapM_ (\i -> newArray capacity (Task (pure ()) (pure ())) >>= writeArray deques i) [0 .. members - 1]
  TaskGroup first <$> unsafeFreezeArray deques <*> newArray members Nothing

-- | The job of everybody: member 0 runs the body and returns when the group is over.
serve :: TaskGroup -> IO () -> Worker -> IO ()
serve made body w = do
  i <- fromIntegral <$> c_number w
  myThreadId >>= writeArray (threads made) i . Just
  let member = Member made i w
      work = if i == 0 then body >> untilOver member else helpOut member
  (work `onException` giveUp member) `catch` \GivenUp -> pure ()

-- | Nothing is begun any more; who waits for a task that was not is told so.
giveUp :: Member -> IO ()
giveUp member = c_cancel (worker member) >> drain
  where drain = takeTask member >>= maybe (pure ()) (\task -> abandon task >> drain)

untilOver :: Member -> IO ()
untilOver member = go (0 :: Int)
  where
    go idle = do
      found <- takeTask member
      case found of
        Just task -> runTask member task >> go 0
        Nothing -> do
          over <- c_is_over (worker member)
          unless (over /= 0) $
            if idle < patience
              then pause member >> go (idle + 1)
              else c_sleep (worker member) >> go 0

-- | A helper that finds nothing for a while leaves: it holds a Capability that others may need.
helpOut :: Member -> IO ()
helpOut member = go (0 :: Int)
  where
    go idle = do
      found <- takeTask member
      case found of
        Just task -> runTask member task >> go 0
        Nothing -> do
          stay <- pause member
          if stay && idle < patience then go (idle + 1) else pure ()

-- | Rounds of waiting, of about a third of a microsecond.
patience :: Int
patience = 150

-- | False: the group is over, or given up.
pause :: Member -> IO Bool
pause member = do
  verdict <- c_pause (worker member)
  case verdict of
    0 -> pure True
    1 -> yield >> pure True
    _ -> pure False

-- ---------------------------------------------------------------------------------- tasks

-- | The member that the calling thread serves as.
current :: String -> TaskGroup -> IO Member
current function made = myThreadId >>= look 0
  where
    look i me
      | i == sizeofArray (waiting made) = throwIO . userError $ "GHC.OpenMP." ++ function
          ++ ": called by " ++ show me ++ ", expected a task of the group or the body of its taskGroup;"
          ++ " the task was not spawned"
      | otherwise = do
          served <- readArray (threads made) i
          if served == Just me
            then Member made i <$> c_worker (firstWorker made) (fromIntegral i)
            else look (i + 1) me

push :: Member -> Task -> IO ()
push member task = do
  position <- c_room (worker member) (fromIntegral capacity)
  if position < 0
    then perform task
    else do
      writeArray (dequeOf member (number member)) (slot position) task
      c_push (worker member)

dequeOf :: Member -> Int -> MutableArray RealWorld Task
dequeOf member = indexArray (waiting (group member))

slot :: Int64 -> Int
slot position = fromIntegral position .&. (capacity - 1)

-- | The youngest task of one's own, or the oldest of another member.
takeTask :: Member -> IO (Maybe Task)
takeTask member = do
  position <- c_pop (worker member)
  if position >= 0
    then Just <$> readArray (dequeOf member (number member)) (slot position)
    else stealFrom 1
  where
    members = sizeofArray (waiting (group member))
    stealFrom k
      | k >= members = pure Nothing
      | otherwise = do
          let victim = (number member + k) `rem` members
          theirs <- c_worker (worker member) (fromIntegral victim)
          position <- c_look theirs
          if position < 0 then stealFrom (k + 1) else do
            task <- readArray (dequeOf member victim) (slot position)
            mine <- c_steal theirs position
            if mine /= 0 then pure (Just task) else stealFrom k

runTask :: Member -> Task -> IO ()
runTask member task = perform task >> c_done (worker member)

-- | @spawn group task@ lets @task@ be executed at some time before the 'taskGroup' returns: by somebody
-- else, by the calling thread later, or at once where many tasks wait already. An 'IOError' in a thread
-- that is not of the group. Cost: about 30 ns. Source: OpenMP 5.2, 12.5.
--
-- @since 0.1.0
spawn :: TaskGroup -> IO () -> IO ()
spawn made task = do
  member <- current "spawn" made
  push member (Task task (pure ()))

-- | @both group first second@ executes both, @second@ as a task of the group, and returns their results.
-- An exception of either is thrown here, when both have ended: it is the caller's, not the group's. (An
-- asynchronous one in @first@ ends the group.)
--
-- >>> let fib group n = if n < 2 then pure n else uncurry (+) <$> both group (fib group (n - 1)) (fib group (n - 2))
-- >>> taskGroup (\group -> fib group (15 :: Int))
-- 610
--
-- @since 0.1.0
both :: TaskGroup -> IO a -> IO b -> IO (a, b)
both made first second = do
  member <- current "both" made
  result <- newEmptyMVar
  push member (Task (resultOf second result) (putMVar result givenUp))
  x <- try first
  case x of
    Left e | Just (SomeAsyncException _) <- fromException e -> giveUp member >> throwIO e
    _ -> do
      y <- awaitTask member result
      either (throwIO :: SomeException -> IO r) pure ((,) <$> x <*> y)

givenUp :: Either SomeException b
givenUp = Left (toException GivenUp)

-- | An exception becomes the result; but an asynchronous one is meant for the thread that happens to
-- execute the task.
resultOf :: IO b -> MVar (Either SomeException b) -> IO ()
resultOf action result = do
  outcome <- try action
  case outcome of
    Left e | Just (SomeAsyncException _) <- fromException e -> putMVar result givenUp >> throwIO e
    _ -> putMVar result outcome

-- | Executes other tasks until the result is there, and sleeps when there are none for a while.
awaitTask :: Member -> MVar r -> IO r
awaitTask member result = go (0 :: Int)
  where
    go idle = tryReadMVar result >>= maybe (help idle) pure
    help idle = do
      found <- takeTask member
      case found of
        Just task -> runTask member task >> go 0
        Nothing
          | idle < patience -> pause member >> go (idle + 1)
          | otherwise -> readMVar result
