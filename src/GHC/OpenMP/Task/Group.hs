{-# LANGUAGE ExistentialQuantification #-}

-- | A task group: its members, their deques (@cbits/Task.c@), and the queue for tasks of other threads.
module GHC.OpenMP.Task.Group
  ( TaskGroup (..)
  , Calls (..)
  , newGroup
  , Task (..)
  , Half (..)
  , Gate (..)
  , gateOf
  , Cell (..)
  , Unclaimed (..)
  , abandon
  , abandonAll
    -- * Members
  , Member (..)
  , sit
  , leave
  , ownersSeat
  , executorOf
  , current
  , enterAsGuest
  , countDone
  , countDoneByGuest
  , anyWaits
  , anySpawnedWaits
    -- * Deques
  , pushSpawned
  , pushSecond
  , takeBack
  , Found (..)
  , Origin (..)
  , takeTask
  , takeAsGuest
  , takeDescendant
  , dropBegun
    -- * Tasks of other threads
  , post
  , takePostedBack
  , adoptOwn
  , countPosted
    -- * The end
  , giveUp
  , close
  , isOver
  , sleepUntilRung
  , ring
  , News (..)
  , Waited (..)
  , waitFor
  , waitForThief
  ) where

import Control.Concurrent (yield)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (forM_, unless, void, when, (>=>))
import Data.Bits (testBit, (.&.))
import Data.Int (Int64)
import Data.IORef
import Data.Primitive.ByteArray
import Data.Primitive.SmallArray
import Foreign.C.Types (CBool (..), CInt (..))
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Board (Board, OwnersSeat (..), ownerIn)
import GHC.OpenMP.Loop.Primitive
import GHC.OpenMP.Loop.Share (Worker)
import GHC.OpenMP.Loop.Watch (Calls (..))
import GHC.OpenMP.Task.Outside
import GHC.OpenMP.Refusal
import GHC.Stack (HasCallStack, callStack)

foreign import ccall unsafe "ghcomp_task_group_number" c_group_number :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_enter_group" c_enter_group :: Worker -> Int64 -> IO CInt
foreign import ccall unsafe "ghcomp_task_worker" c_worker :: Worker -> Int64 -> IO Worker
foreign import ccall unsafe "ghcomp_task_room" c_room :: Worker -> CInt -> Int64 -> IO Int64
foreign import ccall unsafe "ghcomp_task_push" c_push :: Worker -> CInt -> IO CInt
foreign import ccall unsafe "ghcomp_task_waits" c_waits :: Worker -> CBool -> IO CBool
foreign import ccall unsafe "ghcomp_task_done_by_guest" c_done_by_guest :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_pop" c_pop :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_take_back" c_take_back :: Worker -> Int64 -> IO CBool
foreign import ccall unsafe "ghcomp_task_look" c_look :: Worker -> CInt -> IO Int64
foreign import ccall unsafe "ghcomp_task_steal" c_steal :: Worker -> CInt -> Int64 -> IO CBool
foreign import ccall unsafe "ghcomp_task_done" c_done :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_ends" c_ends :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_task_is_over" c_is_over :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_wait_for_news" c_wait :: Worker -> CBool -> IO CInt
foreign import ccall unsafe "ghcomp_task_wait_for_thief" c_wait_for_thief :: Worker -> Int64 -> IO CInt
foreign import ccall unsafe "ghcomp_task_tell" c_tell :: Worker -> IO CInt
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_task_will_sleep" c_will_sleep :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_task_awake" c_awake :: Worker -> IO ()

-- ---------------------------------------------------------------------------------- tasks

-- | A task runs in the masking state of the thread that has created it, as a thread of
-- 'Control.Concurrent.forkIO' does.
data Task
  = Spawned !MaskingState (IO ())
  | forall b. Second !(Half b)
  | forall b. WithResult !(Cell b)

-- | The second action of a 'GHC.OpenMP.Task.both'.
data Half b = Half
  { halfState :: !MaskingState
  , halfAction :: IO b
  , creator :: !Executor
  , meeting :: !(IORef (Maybe (Gate b)))
    -- ^ Nothing: only the creator knows the action, or a thief does not know yet that it is its own
  }

-- | Where the two threads meet that execute the actions, if another one executes the second.
data Gate b = Gate
  { outcome :: !(MVar (Either SomeException b))  -- ^ the second action has ended, or never begins
  , thief :: !(MVar Int)                         -- ^ the member that executes it
  , firstSide :: !Side
  , secondSide :: !Side
  }

-- | Whoever comes first makes it.
gateOf :: Half b -> IO (Gate b)
gateOf half = readIORef (meeting half) >>= maybe make pure
  where
    make = do
      made <- Gate <$> newEmptyMVar <*> newEmptyMVar <*> begunSide (creator half) <*> newSide
      atomicModifyIORef' (meeting half) $ \known -> case known of
        Nothing -> (Just made, made)
        Just gate -> (known, gate)

-- | A task whose result others may wait for ("Control.Parallel.OpenMP.Task").
data Cell b = Cell
  { cellState :: !MaskingState
  , cellAction :: !(IORef (IO b))                -- ^ until it begins
  , side :: !Side
  , result :: !(MVar (Either SomeException b))
  , claimed :: !(IORef Int)                      -- ^ how many wait for it, or have seen its end
  , unclaimed :: !(IORef Unclaimed)              -- ^ of its group
  }

-- | The tasks of a group that have failed, and nobody has seen it; until the group's body has ended. The youngest first.
data Unclaimed = WhileBodyRuns [(IORef Int, SomeException)] | BodyHasEnded

-- | The group ends, and the task does not begin. Who waits for it gets what ends the group's threads: that one never is what the group
-- throws ('GHC.OpenMP.Loop.Board.failedIn'). The exception that ends the task alone would not do. Nothing around the waiting action
-- stands for it, so it would pass as that action's own, and in the group's body it would replace the exception that ended the group.
abandon :: TaskGroup -> Task -> IO ()
abandon made task = case task of
  Spawned _ _ -> pure ()
  Second half -> do
    gate <- gateOf half
    _ <- prevent (secondSide gate)
    void (tryPutMVar (outcome gate) groupEnds)
  WithResult cell -> do
    never <- prevent (side cell)
    when never (void (tryPutMVar (result cell) groupEnds))
  where
    groupEnds :: Either SomeException b
    groupEnds = Left (thatEnds (board made))

-- | The group was given up, and all its threads have left: threads that are no members may wait for tasks that nobody will execute.
abandonAll :: TaskGroup -> IO ()
abandonAll made = forM_ (elements made) $ \deque ->
  forM_ [0 .. room - 1] (readSmallArray deque >=> abandonResult)
  where
    abandonResult task = case task of
      WithResult _ -> abandon made task
      _ -> pure ()

-- ---------------------------------------------------------------------------------- groups

-- | A group of tasks, inside 'GHC.OpenMP.Task.taskGroup'.
--
-- @since 0.1.0
data TaskGroup = TaskGroup
  { firstWorker :: !Worker
  , groupNumber :: !Int64
    -- ^ of the loops that the context has executed
  , elements :: !(SmallArray (SmallMutableArray RealWorld Task))
    -- ^ those of each member's deques: the spawned tasks, and then the second actions, each at its position modulo 'capacity'
  , threads :: !(MutableByteArray RealWorld)
    -- ^ the number of the thread that serves as each member; 0: none
  , executors :: !(SmallMutableArray RealWorld Executor)
    -- ^ these threads
  , board :: !(IORef Board)
  , outside :: !(IORef (Outside Task))
  , calls :: !Calls
  , alarm :: !(MVar ())
    -- ^ who has the owner's seat sleeps on it
  , masking :: !MaskingState
    -- ^ the owner's masking state, in which the body runs
  }

-- | Which of a member's deques: @enum task_kind@.
type Kind = Int

spawnedTasks, secondActions :: Kind
spawnedTasks = 0
secondActions = 1

-- | The most tasks in one deque. A power of two. Of second actions there are as many as calls of
-- 'GHC.OpenMP.Task.both' are under way in each other on the thread; if more, others have enough to do.
capacity :: Kind -> Int
capacity 0 = 256
capacity _ = 64

-- | Places for the tasks of both of a member's deques.
room :: Int
room = capacity spawnedTasks + capacity secondActions

newGroup :: IORef Board -> Calls -> Worker -> Int -> IO TaskGroup
newGroup its asks first members = do
  owner <- ownerIn its
  TaskGroup first <$> c_group_number first <*> noElements <*> noThreads <*> newSmallArray members owner <*> pure its
    <*> newIORef nothingOutside <*> pure asks <*> newEmptyMVar <*> getMaskingState
  where
    noElements = do
      deques <- newSmallArray members (error "GHC.OpenMP.Task: a member without a deque")
      mapM_ (\i -> newSmallArray room (Spawned Unmasked (pure ())) >>= writeSmallArray deques i) [0 .. members - 1]
      unsafeFreezeSmallArray deques
    noThreads = do
      numbers <- newByteArray (members * 8)
      numbers <$ fillByteArray numbers 0 (members * 8) 0

-- ---------------------------------------------------------------------------------- members

-- | One of the places from which the group is executed. One thread at a time serves there.
data Member = Member { group :: !TaskGroup, number :: !Int, worker :: !Worker }

-- | The calling thread serves as this member from now on.
sit :: Member -> Executor -> IO ()
sit member self = do
  thread <- myThreadNumber
  writeByteArray (threads (group member)) (number member) thread
  writeSmallArray (executors (group member)) (number member) self

-- | The calling thread serves as this member no more. From then on another thread may sit there, and has what the member has.
leave :: Member -> IO ()
leave member = do
  thread <- myThreadNumber
  serves <- readByteArray (threads (group member)) (number member)
  when (serves == thread) (writeByteArray (threads (group member)) (number member) (0 :: Int64))

executorOf :: Member -> IO Executor
executorOf member = readSmallArray (executors (group member)) (number member)

-- | Of the group's owner, or of who serves in its place.
ownersSeat :: TaskGroup -> OwnersSeat
ownersSeat made = OwnersSeat (threadOf <$> readSmallArray (executors made) 0) (threads made)

-- | The member that the calling thread serves as. A number below 0: it is not a member.
current :: TaskGroup -> IO Member
current made = myThreadNumber >>= look 0
  where
    look i me
      | i == sizeofSmallArray (elements made) = pure (Member made (-1) (firstWorker made))
      | otherwise = do
          served <- readByteArray (threads made) i
          if served == me
            then Member made i <$> c_worker (firstWorker made) (fromIntegral i)
            else look (i + 1) me

-- | The calling thread, which is no member, is inside of the group from now on. False: the group is over.
enterAsGuest :: TaskGroup -> IO Bool
enterAsGuest made = c_enter_group (firstWorker made) (groupNumber made) >>= \entered -> case entered of
  1 -> pure True
  0 -> pure False
  _ -> False <$ strayed (calls made)

-- | A thread that has no deque has executed a task of one.
countDoneByGuest :: TaskGroup -> IO ()
countDoneByGuest made = do
  sleeps <- c_done_by_guest (firstWorker made)
  when (sleeps /= 0) (ring made)

-- | There is something to do for a guest.
anyWaits :: TaskGroup -> IO Bool
anyWaits = waits True

-- | There is, other than second actions in deques.
anySpawnedWaits :: TaskGroup -> IO Bool
anySpawnedWaits = waits False

waits :: Bool -> TaskGroup -> IO Bool
waits secondActions' made = do
  some <- c_waits (firstWorker made) (if secondActions' then 1 else 0)
  if some /= 0 then pure True else anyIsLeft mayBegin hasBegun (outside made)

-- | A task has ended.
countDone :: Member -> IO ()
countDone member = do
  sleeps <- c_done (worker member)
  when (sleeps /= 0) (ring (group member))

-- ---------------------------------------------------------------------------------- deques

-- | If the deque is full, the task waits with those of other threads. It is not executed here, where the caller may hold a lock that it
-- needs; and not kept for this member, which may wait for it. Returns its number there; 0: it is in the deque.
pushSpawned :: Member -> Task -> IO Int
pushSpawned member task = do
  position <- push spawnedTasks member task
  if position >= 0 then pure 0 else do
    dropBegun member
    again <- push spawnedTasks member task
    if again >= 0 then pure 0 else post "spawn" (group member) task

-- | The position; below 0: there is no room.
pushSecond :: Member -> Half b -> IO Int64
pushSecond member half = push secondActions member (Second half)
{-# INLINE pushSecond #-}

push :: Kind -> Member -> Task -> IO Int64
push kind member task = do
  position <- c_room (worker member) (fromIntegral kind) (fromIntegral (capacity kind))
  when (position >= 0) $ do
    writeSmallArray (indexSmallArray (elements (group member)) (number member)) (slot kind position) task
    needs <- c_push (worker member) (fromIntegral kind)
    when (needs /= 0) (heed needs (group member))
  pure position
{-# INLINE push #-}

slot :: Kind -> Int64 -> Int
slot kind position = kind * capacity spawnedTasks + fromIntegral position .&. (capacity kind - 1)

-- | Takes the second action at this position, which the caller has pushed, off the deque. False: it was
-- stolen.
takeBack :: Member -> Int64 -> IO Bool
takeBack member position = (/= 0) <$> c_take_back (worker member) position

-- | A task, and where it was; or none; or no further task may begin.
data Found = Found !Origin !Task | None | Stop

data Origin = FromDeque | FromOutside

-- | The member's own youngest spawned task, or the oldest task of another member, or one from outside. For threads
-- that execute nothing else.
takeTask :: Member -> IO Found
takeTask member = do
  position <- c_pop (worker member)
  case position of
    -2 -> pure Stop
    -1 -> stealFrom 1
    _ -> Found FromDeque <$> elementOf (group member) (number member) spawnedTasks position
  where stealFrom = takeFrom (group member) (number member)

-- | The oldest task of any member, or one from outside.
takeAsGuest :: TaskGroup -> IO Found
takeAsGuest made = takeFrom made 0 0

-- | From the k-th member after this one on.
takeFrom :: TaskGroup -> Int -> Int -> IO Found
takeFrom made me k
  | k >= members = takePosted made
  | otherwise = do
      let victim = (me + k) `rem` members
      second <- steal secondActions made victim (pure True)
      found <- maybe (steal spawnedTasks made victim (pure True)) (pure . Just) second
      maybe (takeFrom made me (k + 1)) (pure . Found FromDeque) found
  where members = sizeofSmallArray (elements made)

elementOf :: TaskGroup -> Int -> Kind -> Int64 -> IO Task
elementOf made member kind position = readSmallArray (indexSmallArray (elements made) member) (slot kind position)

-- | A task that descends from the second action which a member executes; but not if that action has ended, and so what is in the
-- deque may descend from another one. @asLongAs@ says whether it has not.
takeDescendant :: Member -> Int -> IO Bool -> IO (Maybe Task)
takeDescendant member = steal secondActions (group member)

-- | Takes the member's oldest spawned tasks off its deque, as long as they have begun elsewhere, and counts them.
dropBegun :: Member -> IO ()
dropBegun member = do
  position <- c_look (worker member) (fromIntegral spawnedTasks)
  when (position >= 0) $ do
    begun <- elementOf (group member) (number member) spawnedTasks position >>= hasBegun
    when begun $ do
      mine <- c_steal (worker member) (fromIntegral spawnedTasks) position
      when (mine /= 0) (countDone member)
      dropBegun member

-- | A task with a result may begin while it is where others find it, because somebody waits for it.
mayBegin :: Task -> Bool
mayBegin task = case task of
  WithResult _ -> True
  _ -> False

hasBegun :: Task -> IO Bool
hasBegun task = case task of
  WithResult cell -> isBegun (side cell)
  _ -> pure False

-- | The oldest task of a member's deque, if the condition holds after it was found there: the element at a position stays the same
-- until the position is claimed.
steal :: Kind -> TaskGroup -> Int -> IO Bool -> IO (Maybe Task)
steal kind made victim asLongAs = c_worker (firstWorker made) (fromIntegral victim) >>= look
  where
    look theirs = do
      position <- c_look theirs (fromIntegral kind)
      if position < 0 then pure Nothing else do
        task <- elementOf made victim kind position
        still <- asLongAs
        if not still then pure Nothing else do
          mine <- c_steal theirs (fromIntegral kind) position
          if mine /= 0 then pure (Just task) else look theirs

-- ---------------------------------------------------------------------------------- outside

-- | Posts a task where any member finds it. Returns the task's number.
post :: HasCallStack => String -> TaskGroup -> Task -> IO Int
post function made task = accept mayBegin hasBegun (outside made) task >>= \taken -> case taken of
  Accepted n -> n <$ tell made
  -- The group is not over before an accepted task has ended, and then another loop may have its context.
  Refused -> throwIO $ BadArgument ("GHC.OpenMP.Task." ++ function) "a task group that has ended" "one whose taskGroup still runs"
    "the task was not spawned" callStack

takePosted :: TaskGroup -> IO Found
takePosted made = maybe None (Found FromOutside) <$> takeOldest mayBegin (outside made)

-- | True: the task no longer waits, and belongs to the calling thread.
takePostedBack :: TaskGroup -> Int -> IO Bool
takePostedBack made n = do
  mine <- takeBackByNumber (outside made) n
  when mine $ readIORef (outside made) >>= \o -> when (allHaveEnded o) (tell made)
  pure mine

-- | A task of a deque is about to begin on a thread that is no member: it is one from outside from now on. False: the group is over.
adoptOwn :: TaskGroup -> IO Bool
adoptOwn made = adopt (outside made)

-- | A task from outside has ended. Its end is news if the group may be over.
countPosted :: TaskGroup -> IO ()
countPosted made = countEnded (outside made) >>= \last' -> when last' (tell made)

-- | Tells that 'outside' has changed, also to members that wait awake, because they do not look
-- there.
tell :: TaskGroup -> IO ()
tell made = do
  needs <- c_tell (firstWorker made)
  when (needs /= 0) (heed needs made)

-- | What @ghcomp_task_push@ asks for.
heed :: CInt -> TaskGroup -> IO ()
heed needs made = do
  when (testBit needs 0) (ring made)
  when (testBit needs 1) (watchedAgain (calls made))
{-# NOINLINE heed #-}

ring :: TaskGroup -> IO ()
ring made = void (tryPutMVar (alarm made) ())

-- ---------------------------------------------------------------------------------- the end

-- | No task begins any more. The owner is woken if it sleeps, because a task that ended by an exception is
-- not counted as done.
giveUp :: TaskGroup -> IO ()
giveUp made = do
  c_cancel (firstWorker made)
  abandonPosted made False
  ring made

-- | No task is accepted from now on. (If 'isOver' has closed the group, none waits.)
close :: TaskGroup -> IO ()
close made = do
  seen <- readIORef (outside made)
  unless (isClosed seen) (abandonPosted made True)

abandonPosted :: TaskGroup -> Bool -> IO ()
abandonPosted made forEver = takeAll forEver (outside made) >>= mapM_ (abandon made)

-- | True: no task is left, and none can come. Only tasks create members' tasks, and threads outside
-- create tasks only through 'outside'. If all of these had ended before the tasks were counted, and none
-- has been accepted since, no thread could have created one.
isOver :: Member -> IO Bool
isOver member = do
  before <- readIORef (outside (group member))
  over <- c_is_over (worker member)
  if over == 0 || not (allHaveEnded before) then pure False else closeIfEnded (outside (group member)) before

-- | For the thread in the owner's seat.
sleepUntilRung :: Member -> IO ()
sleepUntilRung member = do
  idle <- c_will_sleep (worker member)
  _ <- latest (outside made)
  some <- anyIsLeft mayBegin hasBegun (outside made)
  when (idle /= 0 && not some) $ awaitMVar (takeMVar (alarm made))
  c_awake (worker member)
  where made = group member

-- | What a member that has found no task waits for: a task; or a task or the end of any task.
data News = Tasks | TasksAndEnds

-- | There may be a task; or the group is over, or was given up; or nothing has come for a while.
data Waited = LookAgain | Ended | NoNews
  deriving Eq

waitFor :: News -> Member -> IO Waited
waitFor news member = c_wait (worker member) (case news of Tasks -> 0; TasksAndEnds -> 1) >>= waited

-- | Waits for what a member that executes a second action pushes, and for the end of any task of it. The look decides whether there
-- is need to wait.
waitForThief :: Member -> Int -> IO (Maybe a) -> IO (Either Waited a)
waitForThief member its look = do
  theirs <- c_worker (worker member) (fromIntegral its)
  ends <- c_ends theirs
  look >>= maybe (Left <$> (c_wait_for_thief theirs ends >>= waited)) (pure . Right)

waited :: CInt -> IO Waited
waited verdict = case verdict of
  0 -> pure LookAgain
  1 -> LookAgain <$ yield
  2 -> pure Ended
  _ -> pure NoNews
