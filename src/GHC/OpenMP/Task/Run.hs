{-# LANGUAGE BangPatterns #-}

-- | How the threads of a task group execute its tasks.
module GHC.OpenMP.Task.Run
  ( Begins (..)
  , groupOf
  , atLeastMasked
  , guest
  , performBy
  , beginOnThread
  , awaitEnd
  ) where

import Control.Concurrent (forkIO, yield)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (unless, void, when)
import Data.Either (isLeft)
import Data.Int (Int64)
import Data.IORef
import Data.Primitive.SmallArray (sizeofSmallArray)
import GHC.OpenMP.Loop.Board (Help (..), Participant (..), enrol, enrolGuest, failedIn, helperIn, leaveAsGuest, leaveBoard, newParticipant, ownerIn)
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Primitive
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share (Share (..), Worker, beginTask, isCancelled)
import GHC.OpenMP.Task.Group

foreign import ccall unsafe "ghcomp_task_number" c_number :: Worker -> IO Int64

-- | What a group promises about a task while the group's body computes.
data Begins = MayWait | BeginsAnyway

-- | A group with this body.
groupOf :: Begins -> (TaskGroup -> IO a) -> IO a
groupOf begins body = do
  found <- newIORef Nothing
  executeGroup $ \ !its asks !first members -> do
    !made <- newGroup its asks first members
    let own member = do
          x <- inState (masking made) (body made)
          over <- awaitTasks member
          when over (writeIORef found (Just x))
    let mustBegin = case begins of
          MayWait -> pure False
          BeginsAnyway -> anySpawnedWaits made
    pure (serve made own, BeGuests (anyWaits made) mustBegin (serveAsGuest made) (ownersSeat made), ())
  readIORef found >>= maybe (error "GHC.OpenMP.Task: a group was given up for no reason") pure
{-# INLINE groupOf #-}

-- | The job of all members. Member 0, the group's owner, executes the group's body, and returns when the group is over.
-- Exceptions are masked except in the body and the tasks, because an exception between taking a
-- task and executing it would lose the task.
serve :: TaskGroup -> (Member -> IO ()) -> Share -> IO ()
serve made own share@(Share w _) = do
  i <- fromIntegral <$> c_number w
  when (i < sizeofSmallArray (elements made)) $ atLeastMasked (masking made) $ do
    let member = Member made i w
    self <- (if i == 0 then ownerIn else helperIn) (board made)
    sit member self
    ended <- try (if i == 0 then own member else helpOut share member)
    leave member
    if i > 0 then either (groupFails made (Participant self share)) pure ended else do
      when (isLeft ended) (giveUp made)
      close made
      either throwIO pure ended

-- | An exception on a thread that is not the owner's. It is noted before the group is given up: those who wait for tasks learn of that, and
-- what they throw then must not be the first exception.
groupFails :: TaskGroup -> Participant -> SomeException -> IO ()
groupFails made self e = failedIn (board made) self e >> giveUp made

-- | The job of a thread that comes because all members are blocked. It has no deque: what it spawns is for whoever comes.
serveAsGuest :: TaskGroup -> IO () -> Participant -> IO ()
serveAsGuest made callNext participant@(Participant self share) = atLeastMasked (masking made) $ go callNext `catch` groupFails made participant
  where
    go first = isCancelled share >>= \over -> unless over $ takeAsGuest made >>= \found -> case found of
      Found origin task -> first >> perform made share (performBy self guest task) (countDoneByGuest made) origin >> go (pure ())
      _ -> pure ()

-- | The number of a thread that is no member, for those who wait for what it executes.
guest :: Int
guest = -1

-- | In the group's body or a task this is the state between actions.
atLeastMasked :: MaskingState -> IO a -> IO a
atLeastMasked state = if state == Unmasked then inState MaskedInterruptible else id

-- | For the group's owner, after its body. True: the group is over. False: it was given up. The owner executes no task: an exception for it
-- would strike that one, which may have a handler for it. So another thread takes its seat, unless there is nothing to begin, and what
-- is under way ends soon.
awaitTasks :: Member -> IO Bool
awaitTasks member = look yield
  where
    look before = do
      dropBegun member
      over <- isOver member
      some <- if over then pure False else anyWaits (group member)
      if over then pure True else if some then giveSeat else do
        before -- a thread of this Capability may be about to end the last task
        news <- waitFor TasksAndEnds member
        case news of
          LookAgain -> look (pure ())
          Ended -> pure False
          NoNews -> giveSeat
    giveSeat = do
      leave member
      done <- newEmptyMVar
      _ <- forkIO (serveInSeat member >>= putMVar done)
      awaitMVar (takeMVar done)

-- | The job of the thread that takes the owner's seat, and a result for the owner. Called with exceptions masked. Does not throw. It leaves before
-- the owner goes on, which then need not wait for that.
serveInSeat :: Member -> IO Bool
serveInSeat member = enterAsGuest made >>= \entered -> if not entered then pure False else do
  self <- newParticipant (worker member)
  begins <- enrol (board made) self
  over <- if not begins then pure False else do
    sit member (executor self)
    ended <- try (untilOver (shareOf self) member)
    leave member
    either (\e -> False <$ groupFails made self e) pure ended
  over <$ leaveBoard (board made) self
  where made = group member

-- | For who has the owner's seat. True: the group is over. False: it was given up.
untilOver :: Share -> Member -> IO Bool
untilOver share member = takeTask member >>= \found -> case found of
  Stop -> pure False
  None -> isOver member >>= \over -> if over then pure True else idle >> untilOver share member
  Found origin task -> performAsMember share member origin task >> untilOver share member
  where
    idle = do
      news <- waitFor TasksAndEnds member
      when (news == NoNews) (sleepUntilRung member)

-- | A helper that finds no task for a while leaves, because it holds a Capability that others may
-- need.
helpOut :: Share -> Member -> IO ()
helpOut share member = takeTask member >>= \found -> case found of
  Stop -> pure ()
  None -> do
    news <- waitFor Tasks member
    when (news == LookAgain) (helpOut share member)
  Found origin task -> performAsMember share member origin task >> helpOut share member

-- | Executes a task, and counts it. An exception of one that was spawned is the group's, and that task is not counted. Called with
-- exceptions masked, on a thread that executes nothing else.
perform :: TaskGroup -> Share -> IO Bool -> IO () -> Origin -> IO ()
perform made share task countTaken origin = do
  beginTask share
  begun <- task
  case origin of
    FromDeque -> countTaken
    FromOutside -> when begun (countPosted made)
{-# INLINE perform #-}

performAsMember :: Share -> Member -> Origin -> Task -> IO ()
performAsMember share member origin task = do
  self <- executorOf member
  perform (group member) share (performBy self (number member) task) (countDone member) origin

-- | On the thread of this executor, which is the member with this number. False: it has begun elsewhere.
performBy :: Executor -> Int -> Task -> IO Bool
performBy self me task = case task of
  Spawned state action -> True <$ inState state action
  Second half -> True <$ performSecond self me half
  WithResult cell -> performCell self cell >>= \told -> case told of
    BegunElsewhere -> pure False
    Told -> pure True
    ToldAndFailed e -> throwIO e

-- | Exceptions that are thrown to the thread meanwhile arrive afterwards.
awaitEnd :: IO a -> IO a
awaitEnd wait = uninterruptibleMask_ (awaitMVar wait)

-- | Executes a second action, and tells its result. Called with exceptions masked.
performSecond :: Executor -> Int -> Half b -> IO ()
performSecond self me half = do
  gate <- gateOf half
  void (tryPutMVar (thief gate) me)
  x <- attempt (secondSide gate) self (inState (halfState half) (halfAction half))
  when (isLeft x) (void (end (firstSide gate)))
  void (tryPutMVar (outcome gate) x)

-- | How 'performCell' has ended. The task's exception may be the group's, too.
data Told = BegunElsewhere | Told | ToldAndFailed !SomeException

-- | Executes a task that has a result, unless that has been done, or is being done. Called with exceptions masked, on a thread that
-- executes nothing else. An exception of the task is its result. It is the group's, too, if the group's body has ended and nobody
-- waits for the task. What ends the group is not the task's exception.
performCell :: Executor -> Cell b -> IO Told
performCell self cell = attemptOnce (side cell) self (readIORef (cellAction cell) >>= begin) >>= maybe (pure BegunElsewhere) told
  where
    begin action = do
      writeIORef (cellAction cell) (throwIO (endOf (side cell))) -- so that nobody keeps what it refers to
      inState (cellState cell) action
    told x = do
      itsGroups <- either failed (const (pure Told)) x -- noted before others see it
      itsGroups <$ tryPutMVar (result cell) x
    failed e = if hasEnded (side cell) e then pure Told else do
      known <- readIORef (claimed cell)
      atomicModifyIORef' (unclaimed cell) $ \u -> case u of
        WhileBodyRuns before -> (WhileBodyRuns ((claimed cell, e) : before), Told)
        BodyHasEnded -> (u, if known > 0 then Told else ToldAndFailed e)

-- | The task begins on a thread of its own, inside of the group, unless it has begun. Called with exceptions masked, by a thread that
-- waits for it.
--
-- The first piece of a thread's stack has room for some eighty words, and the next one is an allocation of 32 KB. So there is little
-- between the thread's beginning and the action.
beginOnThread :: TaskGroup -> Bool -> Cell b -> IO ()
beginOnThread made !posted !cell = void . forkIO $ do
  entered <- enterAsGuest made
  if not entered then never else do
    self <- newParticipant (firstWorker made)
    enrolled <- enrolGuest (board made) self
    begins <- if enrolled && not posted then adoptOwn made else pure enrolled
    if not begins then never else do
      told <- performCell (executor self) cell
      case told of
        BegunElsewhere -> unless posted (countPosted made)
        Told -> countPosted made
        ToldAndFailed e -> failedIn (board made) self e
    leaveAsGuest (board made) self
  where never = abandon made (WithResult cell)
