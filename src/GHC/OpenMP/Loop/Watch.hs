{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | A thread that looks at the loops which are being executed, for those whose bodies are all blocked (@cbits/LoopWatch.c@). Without
-- it, nothing would run that could notice: on one Capability, the only thread of such a loop sleeps.
--
-- It looks after a millisecond, and then less often while nothing is wrong, so that it takes next to nothing from threads that compute;
-- and it sleeps while there is no loop. Go's scheduler has such a thread for the same reason (its @sysmon@).
module GHC.OpenMP.Loop.Watch
  ( Context
  , Seat (..)
  , Calls (..)
  , callsOf
  , Keeps (..)
  , keep
  , watchAgain
  , keptBy
  , seatAt
  , wakeWatcher
  ) where

import Control.Concurrent (forkIO, forkOn, rtsSupportsBoundThreads, threadCapability, threadDelay)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (void, when)
import Data.Int (Int64)
import Data.IORef
import Data.Primitive.ByteArray (MutableByteArray (..))
import Data.Word (Word64)
import Foreign.C.Types (CBool (..), CInt (..))
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.StablePtr
import Foreign.Storable (peekByteOff)
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (ThreadId (..))
import GHC.Exts (MutableByteArray#, RealWorld, ThreadId#)
import GHC.OpenMP.Loop.Board hiding (bell)
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Loop.StandIn
import GHC.OpenMP.Loop.Primitive (inState, replace)
import System.IO.Unsafe (unsafePerformIO)
import System.Mem.Weak (Weak, deRefWeak)

data ContextOfC

-- | A loop that can be entered (@struct loop_context@).
type Context = Ptr ContextOfC

-- | Of a context: its cell, if the seat keeps that alive; how others find the cell; and its caller's worker.
data Seat = Seat !(IORef Keeps) !(Weak Cell) !Worker

-- | A loop that is watched is kept alive, so that the garbage collector does not take bodies that have not begun for ones that never
-- will. As soon as none is left, only the caller's stack keeps the cell, and the job in it; so the collector finds a body that waits
-- for something that only the job refers to.
data Keeps
  = Rests !Cell         -- ^ no loop runs
  | Keeps !Cell !(IORef ()) -- ^ a loop that is watched; another object each time
  | Lets

foreign import ccall unsafe "ghcomp_watch_wake" c_wake :: IO CInt
foreign import ccall unsafe "ghcomp_watch_next" c_next :: Context -> IO Context
foreign import ccall unsafe "ghcomp_watch_number" c_number :: Context -> IO Int64
foreign import ccall unsafe "ghcomp_watch_inside" c_inside :: Context -> IO Int64
foreign import ccall unsafe "ghcomp_watch_settle" c_settle :: Context -> Int64 -> IO ()
foreign import ccall safe "ghcomp_watch_pause" c_pause :: Word64 -> IO ()
foreign import ccall unsafe "ghcomp_watch_will_sleep" c_will_sleep :: IO CBool
foreign import ccall unsafe "ghcomp_watch_settle_group" c_settle_group :: Context -> Int64 -> ThreadId# -> MutableByteArray# RealWorld -> IO CBool
foreign import ccall unsafe "ghcomp_watch_again" c_again :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_loop_enter_as_guest" c_enter_as_guest :: Context -> IO CBool

-- | A loop begins, and there was no thread that watches, or it slept.
wakeWatcher :: IO ()
wakeWatcher = do
  was <- c_wake
  when (was == absent) (void (mask_ (tryTakeMVar bell >> forkIO (inState MaskedInterruptible watch))))
  when (was == asleep) (putMVar bell ())
  where
    absent = 0
    asleep = 1
{-# NOINLINE wakeWatcher #-}

-- | The watching thread sleeps on it.
bell :: MVar ()
bell = unsafePerformIO newEmptyMVar
{-# NOINLINE bell #-}

firstPause, longestPause :: Int
firstPause = 1000    -- microseconds, which a body that is blocked waits longer than it might
longestPause = 20000 -- as long as a time slice: the looks cost a computing thread one switch for each

watch :: IO ()
watch = newStablePtr bell >> go firstPause -- the collector must not find that nobody rings
  where
    go pause = do
      if rtsSupportsBoundThreads then c_pause (fromIntegral pause) else threadDelay pause
      before <- getMonotonicTimeNSec
      seen <- lookAtAll nullPtr NoLoop
      after <- getMonotonicTimeNSec
      let took = fromIntegral ((after - before) `quot` 1000)
      case seen of
        NoLoop -> sleep
        SomeMove -> go (max (min longestPause (2 * pause)) (bounded (100 * took))) -- the looks take a hundredth of the time,
        SomeWait -> go (max firstPause (bounded (4 * took)))                       -- and a fifth while nothing moves
    -- On a machine with other programs a short look may take long.
    bounded = min 200000
    sleep = do
      sleeps <- c_will_sleep
      when (sleeps /= 0) (takeMVar bell)
      go firstPause

-- | What was seen of all loops.
data Seen = NoLoop | SomeMove | SomeWait
  deriving (Eq, Ord)

lookAtAll :: Context -> Seen -> IO Seen
lookAtAll after sofar = c_next after >>= \context ->
  if context == nullPtr then pure sofar else lookAtOne context >>= lookAtAll context . max sofar

lookAtOne :: Context -> IO Seen
lookAtOne context = do
  loop <- c_number context
  (keeps, job) <- jobIn context
  seen <- lookAt job
  case seen of
    Progress -> SomeMove <$ notStalled job
    Runs -> pure SomeMove
    OnlyCallerRuns blocked -> case helpOf job of
      BeGuests { tasksMustBegin = mustBegin } -> mustBegin >>= \some -> if not some then pure SomeMove else SomeWait <$ do
        when (blocked == 0) (notStalled job)
        howMany job >>= guest context
      TakeShares -> pure SomeMove
    Begins -> pure SomeWait
    Settled others -> do
      entered <- c_inside context -- one of them may not be on the board yet
      gone <- if fromIntegral entered > others then pure False else letGo context keeps
      if gone then NoLoop <$ c_settle context loop else pure SomeMove
    Stalled holders -> case helpOf job of
      TakeShares -> SomeWait <$ (howMany job >>= \most -> mapM_ (standIn most job) holders)
      BeGuests { tasksWait = waits, seatOfOwner = owners } -> waits >>= \some -> if some
        then SomeWait <$ (howMany job >>= guest context)
        else SomeMove <$ settleGroup context loop keeps waits owners

-- | Nothing is to be done for a group's threads, which are blocked, until one of them pushes a task. That one sees it, because the
-- group is settled on the Capability of the thread in the owner's seat, while it is blocked there.
settleGroup :: Context -> Int64 -> Keeps -> IO Bool -> OwnersSeat -> IO ()
settleGroup context loop keeps waits (OwnersSeat sits (MutableByteArray numbers)) = do
  owner <- sits
  (capability, _) <- threadCapability owner
  void . forkOn capability $ do
    settled <- settle owner
    when settled $ waits >>= \some -> if some then seatAt context >>= mapM_ again else void (letGo context keeps)
  where
    settle (ThreadId thread) = (/= 0) <$> c_settle_group context loop thread numbers
    again (Seat _ _ worker) = unsettle worker

-- | So many threads after each other that execute tasks of a group whose threads are blocked. Like a helper, one reads the job when it
-- is inside, because until then another loop of the context may have begun. Called with exceptions masked.
guest :: Context -> Int -> IO ()
guest context most = when (most > 0) . void . forkIO $ do
  entered <- c_enter_as_guest context
  when (entered /= 0) $ inLoopOf context $ \job self -> do
    begins <- enrol (boardOf job) self
    case helpOf job of
      BeGuests { guestsJob = work } -> participate (executing (\_ -> work (guest context (most - 1)) self) job) self begins
      TakeShares -> participate job self False

-- | What a task group asks for.
data Calls = Calls
  { watchedAgain :: IO () -- ^ there is something to do for guests again
  , strayed :: IO ()      -- ^ the calling thread has entered another loop of the context, which it leaves now
  }

-- | Calls of the context's group.
callsOf :: Context -> IO () -> Calls
callsOf context again = Calls again (inLoopOf context (\job self -> participate job self False))

-- | The calling thread is inside of the loop that the context executes now.
inLoopOf :: Context -> (Job -> Participant -> IO ()) -> IO ()
inLoopOf context action = jobIn context >>= with . snd
  where
    with NoJob = pure () -- there is one while a thread is inside
    with job = do
      _ <- introduce (boardOf job) (callerThread job)
      newParticipant (shareWorker (callerShare job)) >>= action job

-- | What the context's seat keeps, and the job of its loop.
jobIn :: Context -> IO (Keeps, Job)
jobIn context = do
  seat <- seatAt context
  case seat of
    Nothing -> pure (Lets, NoJob)
    Just (Seat kept weak _) -> do
      keeps <- readIORef kept
      job <- deRefWeak weak >>= maybe (pure NoJob) readIORef
      pure (keeps, job)

-- | The loop is to be watched: the seat keeps its cell.
keep :: IORef Keeps -> Cell -> IO ()
keep seat cell = newIORef () >>= \token -> writeIORef seat $! Keeps cell token

-- | A group in which there was nothing to do for others, and is again.
watchAgain :: Worker -> IORef Keeps -> Cell -> IO ()
watchAgain worker seat cell = mask_ $ do
  keep seat cell
  unsettle worker

unsettle :: Worker -> IO ()
unsettle worker = c_again worker >>= \lacks -> when (lacks /= 0) wakeWatcher

-- | The cell of a context that is not in use yet.
keptBy :: IORef Keeps -> IO Cell
keptBy seat = readIORef seat >>= \keeps -> case keeps of
  Rests cell -> pure cell
  _ -> error "GHC.OpenMP.Loop.Watch: the seat of a context that is not in use does not rest"

-- | Nothing: no loop has used the context yet.
seatAt :: Context -> IO (Maybe Seat)
seatAt context = do
  stable <- peekByteOff context 8
  if castStablePtrToPtr stable == nullPtr then pure Nothing else Just <$> deRefStablePtr stable

-- | The seat keeps the cell no more, if it is still that of the same loop: each loop begins with another object there.
letGo :: Context -> Keeps -> IO Bool
letGo context seen = case seen of
  Rests _ -> pure False
  Lets -> pure True
  Keeps _ _ -> seatAt context >>= maybe (pure False) (\(Seat kept _ _) -> replace kept seen Lets)
