-- | What the threads that execute one loop tell each other: who they are, and the first exception.
--
-- Invariant: a thread that executes bodies for another one is on the board before it begins, and is inside (@cbits/Loop.md@) from
-- before its first body until after its last one.
module GHC.OpenMP.Loop.Board
  ( Job (..)
  , Help (..)
  , OwnersSeat (..)
  , Cell
  , Board (..)
  , blank
  , Participant (..)
  , newParticipant
  , ownerIn
  , introduce
  , helperIn
  , enrol
  , enrolGuest
  , leaveAsGuest
  , prune
  , executing
  , participate
  , failedIn
  , leaveBoard
  , interrupt
  , throwing
  ) where

import Control.Concurrent (forkIOWithUnmask)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (filterM, forM_, unless, void, when)
import Data.IORef
import Data.List (find)
import Data.Maybe (fromMaybe, isNothing)
import Data.Primitive.ByteArray (MutableByteArray)
import Foreign.C.Types (CBool (..))
import GHC.Conc (ThreadId, myThreadId)
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Primitive (modify)
import GHC.OpenMP.Loop.Share

-- | What other threads find that enter a loop.
data Job
  = NoJob
  | Job
    { inCallersState :: IO () -> IO ()  -- ^ its masking state
    , jobOf :: Share -> IO ()
    , helpOf :: !Help
    , boardOf :: !(IORef Board)
    , callerThread :: !ThreadId
    , callerShare :: !Share
    , bodiesHaveThreads :: !Bool        -- ^ a blocked body gives its place away at once
    }

-- | What others can do while the threads of a loop are blocked.
data Help
  = TakeShares
  | BeGuests
    { tasksWait :: IO Bool  -- ^ of a task group: there is something to do for a guest
    , tasksMustBegin :: IO Bool -- ^ there is something that must begin although the caller runs
    , guestsJob :: IO () -> Participant -> IO ()
      -- ^ executes tasks until none waits; calls the next guest before the first one
    , seatOfOwner :: !OwnersSeat
    }

-- | The thread that serves in the seat of a group's owner, or has served there last; and the number of the one that does now, in the first
-- word.
data OwnersSeat = OwnersSeat (IO ThreadId) !(MutableByteArray RealWorld)

-- | Where a context's helpers, and the watching thread, find its job. They refer to it weakly; what keeps it alive is the caller's
-- stack and, while that is right ('GHC.OpenMP.Loop.Watch.Keeps'), the context's seat.
type Cell = IORef Job

data Board = Board
  { ended :: !Bool                      -- ^ who enters now has nothing to do
  , caller :: !(Maybe Executor)         -- ^ where others may enter
  , inside :: [Participant]             -- ^ others that have entered, the last one first
  , guests :: !Int                      -- ^ how many of these may have come by 'enrolGuest' since they were few
  , failure :: !(Maybe SomeException)   -- ^ the first exception of one of them
  , thrower :: !(Maybe ThreadId)        -- ^ because of it, throws to the caller
  , bell :: !(Maybe (MVar ()))          -- ^ the caller sleeps on it; the last one to leave fills it
  }

data Participant = Participant { executor :: !Executor, shareOf :: !Share }

-- | The calling thread, which will execute from this place.
newParticipant :: Worker -> IO Participant
newParticipant worker = Participant <$> newExecutor <*> newShare worker

blank :: Board
blank = Board False Nothing [] 0 Nothing Nothing Nothing

foreign import ccall unsafe "ghcomp_loop_leave" c_leave :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()

-- | The caller, which calls this.
ownerIn :: IORef Board -> IO Executor
ownerIn board = myThreadId >>= introduce board

-- | The caller is this thread. Before others may enter.
introduce :: IORef Board -> ThreadId -> IO Executor
introduce board thread = readIORef board >>= maybe make pure . caller
  where
    make = do
      made <- newExecutorOf thread
      known <- atomicModifyIORef' board (\b -> maybe (b { caller = Just made }, Nothing) (\k -> (b, Just k)) (caller b))
      pure (fromMaybe made known)
{-# NOINLINE introduce #-}

-- | A helper that has entered, and calls this.
helperIn :: IORef Board -> IO Executor
helperIn board = do
  self <- myThreadId
  found <- find ((== self) . threadOf) . map executor . inside <$> readIORef board
  maybe newExecutor pure found

-- | Puts the thread on the board. False: there is nothing to do any more.
enrol :: IORef Board -> Participant -> IO Bool
enrol board self = not <$> atomicModifyIORef' board (\b -> (b { inside = self : inside b }, ended b))

-- | The same for a thread that executes one task. Such threads come and go faster than the watching thread looks. So one that leaves takes
-- itself off the board if it is the last one that came ('leaveAsGuest'). And whenever the list may be twice as long as it was, all those
-- are taken off that have ended their part: a constant amount of work for each.
enrolGuest :: IORef Board -> Participant -> IO Bool
enrolGuest board self = do
  (many, over) <- modify board (\b -> (b { inside = self : inside b, guests = guests b + 1 }, (guests b, ended b)))
  when (many >= few) $ do
    left <- prune board
    modify board (\b -> (b { guests = min 0 (few - length left) }, ()))
  pure (not over)
  where few = 16

-- | The guest's part is over.
leaveAsGuest :: IORef Board -> Participant -> IO ()
leaveAsGuest board self = do
  here <- isLast <$> readIORef board
  when here $ modify board (\b -> (if isLast b then b { inside = drop 1 (inside b), guests = guests b - 1 } else b, ()))
  leaveBoard board self
  where
    isLast b = case inside b of
      it : _ -> lockOf (executor it) == lockOf (executor self)
      [] -> False

-- | Takes those off the board that have ended their part. Returns the others. Any thread may call it: the list changes only at its front,
-- and here, and nobody comes back; so if the first one that this thread has seen is at its place, all are.
prune :: IORef Board -> IO [Participant]
prune board = do
  others <- inside <$> readIORef board
  left <- filterM (fmap not . isOver . shareOf) others
  case others of
    first : _ | length left < length others -> atomicModifyIORef' board $ \b ->
      let (new, known) = splitAt (length (inside b) - length others) (inside b)
          isPlace p = lockOf (executor p) == lockOf (executor first)
      in (if any isPlace (take 1 known) then b { inside = new ++ left } else b, ())
    _ -> pure ()
  pure left

-- | The same loop, in which a thread executes something else.
executing :: (Share -> IO ()) -> Job -> Job
executing _ NoJob = NoJob
executing action (Job restore _ help board thread share promised) = Job restore action help board thread share promised

-- | Executes the job in the caller's masking state, on a thread that is on the board and inside; and leaves. Called with exceptions
-- masked. Does not throw.
participate :: Job -> Participant -> Bool -> IO ()
participate NoJob _ _ = pure ()
participate (Job restore job _ board _ _ _) self begins = do
  when begins (restore (job (shareOf self)) `catch` failedIn board self)
  leaveBoard board self

-- | An exception of what the thread executes: the loop's, if it is the first one, unless it has come to end that thread's part.
failedIn :: IORef Board -> Participant -> SomeException -> IO ()
failedIn board (Participant self share) e = unless (isOf board e) $ do
  c_cancel (shareWorker share)
  isFirst <- atomicModifyIORef' board (\b -> (b { failure = maybe (Just e) Just (failure b) }, isNothing (failure b)))
  when isFirst (interrupt board (/= lockOf self) >> interruptCaller board)

-- | The thread's part is over.
leaveBoard :: IORef Board -> Participant -> IO ()
leaveBoard board (Participant _ share) = do
  endShare share
  last' <- c_leave (shareWorker share)
  when (last' /= 0) (readIORef board >>= mapM_ (`tryPutMVar` ()) . bell)

-- | Ends the bodies of those of this loop's threads, other than the caller, that are concerned. Each has a thread of its own
-- for that, because it may be where no exception reaches it for a while. Each gets one
-- exception after the other.
interrupt :: IORef Board -> (MVar () -> Bool) -> IO ()
interrupt board concerned = do
  others <- atomicModifyIORef' board (\b -> (b { ended = True }, inside b))
  forM_ (map executor others) $ \other -> when (concerned (lockOf other)) (void (throwing board other))

-- | Ends the caller's body.
interruptCaller :: IORef Board -> IO ()
interruptCaller board = do
  target <- caller <$> readIORef board
  forM_ target $ \it -> do
    forked <- throwing board it
    atomicModifyIORef' board (\b -> (b { thrower = Just forked }, ()))

-- | Unmasked, whatever the calling thread is: the caller may kill it while neither could be interrupted ('thrower').
throwing :: IORef Board -> Executor -> IO ThreadId
throwing board it = forkIOWithUnmask (\unmask -> unmask (throwEnd board it))
