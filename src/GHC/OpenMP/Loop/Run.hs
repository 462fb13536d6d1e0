{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | The Haskell half of @cbits/Loop.c@: runs a job on the calling thread and on whichever workers of
-- the pool come to help, and brings exceptions home.  The protocol is described in @cbits/Loop.md@.
--
-- Invariant: when 'execute' returns or throws, nobody runs the job any more.
module GHC.OpenMP.Loop.Run
  ( Worker
  , Shape (..)
  , shapeOf
  , taskShape
  , execute
  , pureLoop
  , drawChunks
  , isCancelled
  , makeRoom
  , chunkNumber
  , awaitMVar
  , inState
  , isAsynchronous
  , replace
  , myThreadNumber
  ) where

import Control.Concurrent (forkIO, mkWeakThreadId)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (forM_, unless, when, (>=>))
import Data.Int (Int64)
import Data.IORef
import Data.Word (Word32)
import Foreign.C.Types (CBool (..), CInt (..), CUInt (..))
import Foreign.Ptr (Ptr, castPtr, nullPtr)
import Foreign.StablePtr
import Foreign.Storable (peekByteOff, poke, pokeByteOff)
import GHC.Conc (ThreadId (..), myThreadId)
import GHC.Exts (ThreadId#, casMutVar#, isTrue#, maskAsyncExceptions#, maskUninterruptible#, mkWeakNoFinalizer#, (==#))
import GHC.IO (IO (..), unsafeUnmask)
import GHC.IORef (IORef (..))
import GHC.OpenMP.Schedule
import GHC.STRef (STRef (..))
import System.IO.Unsafe (unsafePerformIO)
import System.Mem.Weak (deRefWeak)
import GHC.Weak (Weak (..))

data ContextOfC

data WorkerOfC

-- | A loop that can be entered (@struct loop_context@).
type Context = Ptr ContextOfC

-- | One of those that execute a loop (@struct loop_worker@).
type Worker = Ptr WorkerOfC

-- | What the dispenser is told.
data Shape = Shape
  { shapeCount :: !Int    -- ^ iterations, at least 1
  , shapeChunk :: !Int    -- ^ in a chunk; 0: the usual size
  , shapeSchedule :: !Int -- ^ @enum handing_out@
  , shapeWorkers :: !Int  -- ^ at most; 0: as many as usual
  }

-- | A loop over @from <= i < to@, which is not empty. A range of more than 'maxBound' iterations is
-- refused.
shapeOf :: Schedule -> Int -> Int -> Shape
shapeOf schedule from to
  | count < 0 = errorWithoutStackTrace $ "GHC.OpenMP: a loop from " ++ show from ++ " to " ++ show to
      ++ " has more iterations than an Int holds; split it"
  | otherwise = case schedule of
      Auto -> Shape count 0 2 0
      Static -> Shape count 0 0 0
      StaticChunk size -> Shape count (max 1 size) 1 0
      Dynamic size -> Shape count (max 1 size) 2 0
      Guided size -> Shape count (max 1 size) 3 0
  where count = to - from

-- | A task group: one chunk for each worker, and no iterations.
taskShape :: Shape
taskShape = Shape 1 1 4 0

-- | What helpers find when they enter: the caller's masking state, what to do in it, and the board of this
-- loop.
data Job = Job (IO () -> IO ()) (Worker -> IO ()) !(IORef Board)

-- | What those who execute one loop tell each other.
data Board = Board
  { ended :: !Bool                      -- ^ whoever enters now has nothing to do
  , inside :: [Helper]                  -- ^ that have entered
  , failure :: !(Maybe SomeException)   -- ^ the first of a helper
  , bell :: !(Maybe (MVar ()))          -- ^ the caller sleeps on it; the last helper to leave rings
  }

-- | Its thread; weak, so that one that waits for what cannot come is found by the garbage collector. And whose
-- turn it is to throw to it: two exceptions on their way to one thread may crash the RTS (docs/limits.md).
data Helper = Helper !(Weak ThreadId) !(MVar ())

-- | Where a context's helpers find their job. While a loop runs nothing but its caller's stack keeps
-- the cell, and with it the job, alive (one that its caller executes alone has not put it there): a body that waits for something that only the job refers to is
-- then seen to wait for ever. Between loops the seat keeps the cell.
type Cell = IORef Job

type Seat = IORef Cell

foreign import ccall unsafe "ghcomp_loop_take" c_take :: IO Context
foreign import ccall unsafe "ghcomp_loop_give" c_give :: Context -> IO ()
foreign import ccall unsafe "ghcomp_loop_describe"
  c_describe :: Context -> Int64 -> Int64 -> CInt -> CUInt -> IO Int64
foreign import ccall unsafe "ghcomp_loop_worker" c_worker :: Context -> Int64 -> IO Worker
foreign import ccall unsafe "ghcomp_loop_open" c_open :: Context -> IO CBool
foreign import ccall unsafe "ghcomp_loop_admit" c_admit :: Context -> IO ()
foreign import ccall unsafe "ghcomp_loop_enter" c_enter :: Context -> IO Worker
foreign import ccall unsafe "ghcomp_loop_leave" c_leave :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_loop_next" c_next :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_loop_is_cancelled" c_is_cancelled :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_loop_close" c_close :: Context -> IO Word32
foreign import ccall unsafe "ghcomp_loop_wait" c_wait :: Context -> IO Word32
foreign import ccall unsafe "ghcomp_task_thread" c_thread :: ThreadId# -> IO Int64
foreign import ccall unsafe "ghcomp_loop_will_sleep" c_will_sleep :: Context -> IO Word32

-- ---------------------------------------------------------------------------------- the caller

-- | @execute shape prepare@ runs the job that @prepare@ makes, which is told the calling thread's worker
-- and the number of chunks, on the calling thread (as worker 0) and on helpers; when all of them have returned, it returns what
-- @prepare@ made beside the job.  A job draws chunks until there are none ('drawChunks').  The first
-- exception of anybody makes the others stop at their next chunk and is thrown here.  An asynchronous
-- one to the caller is thrown to the helpers too, so that bodies that block end.
execute :: forall r. Shape -> (Worker -> Int -> IO (Worker -> IO (), r)) -> IO r
execute shape prepare = mask $ \restore -> do
  context <- c_take
  seat <- seatOf context
  cell <- readIORef seat
  board <- newIORef blank
  chunks <- c_describe context (fromIntegral (shapeCount shape)) (fromIntegral (shapeChunk shape))
    (fromIntegral (shapeSchedule shape)) (fromIntegral (shapeWorkers shape))
  self <- c_worker context 0
  outcome <- try $ do
    let admit job = do
          writeIORef seat nowhere
          writeIORef cell (Job restore job board)
          c_admit context
        over job = c_close context >>= \some ->
          if some == wantsHelp then admit job >> restore (job self) >> over job
          else unless (some == 0) (finish context self board)
    (job, result) <- restore $ do
      made@(job, _) <- prepare self (fromIntegral chunks)
      alone <- c_open context
      when (alone == 0) (admit job)
      made <$ job self
    over job
    pure result
  thrown <- either (stop context self board) (const (failure <$> readIORef board)) outcome
  sits <- readIORef seat
  unless (sits == cell) (writeIORef cell nothingToDo >> writeIORef seat cell)
  c_give context
  maybe (either throwIO pure outcome) throwIO thrown

blank :: Board
blank = Board False [] Nothing Nothing

-- | A context's seat.  Made once for each context, with the action that helpers perform, which knows
-- the cell.
seatOf :: Context -> IO Seat
seatOf context = do
  stable <- peekByteOff context 8
  if castStablePtrToPtr stable /= nullPtr
    then deRefStablePtr stable
    else do
      cell <- newIORef nothingToDo
      weak <- weakly cell
      newStablePtr (serve context weak) >>= poke (castPtr context)
      seat <- newIORef cell
      newStablePtr seat >>= pokeByteOff context 8
      pure seat

weakly :: IORef a -> IO (Weak (IORef a))
weakly cell@(IORef (STRef variable)) = IO $ \s -> case mkWeakNoFinalizer# variable cell s of
  (# s', weak #) -> (# s', Weak weak #)

-- | A context that is not in use keeps nothing alive.
nothingToDo :: Job
nothingToDo = Job id (const (pure ())) (error "GHC.OpenMP.Loop.Run: no loop is open")

-- | On the seat of a context that is in use.
nowhere :: Cell
nowhere = unsafePerformIO (newIORef nothingToDo)
{-# NOINLINE nowhere #-}

-- | From @ghcomp_loop_close@: the caller, which was alone so far, has found that the loop is long, and draws again
-- when helpers may enter. A short loop never shows its job to anybody.
wantsHelp :: Word32
wantsHelp = maxBound

-- | Nobody enters any more; waits for those inside, and can be interrupted meanwhile.
finish :: Context -> Worker -> IORef Board -> IO ()
finish !context !self !board = do
  left <- c_wait context
  unless (left == 0) (settle context self board Nothing >>= mapM_ throwIO)
{-# NOINLINE finish #-}

-- | After an exception in the caller, where helpers may be inside: they finish their chunks, or, when it was
-- asynchronous, get it too. Returns what is to be thrown.
stop :: Context -> Worker -> IORef Board -> SomeException -> IO (Maybe SomeException)
stop !context !self !board e = do
  c_cancel self
  some <- c_close context
  if some == 0 || some == wantsHelp then pure (Just e) else do
    when (isAsynchronous e) (interrupt board e)
    settle context self board (Just e)
{-# NOINLINE stop #-}

isAsynchronous :: SomeException -> Bool
isAsynchronous e = case fromException e of
  Just (SomeAsyncException _) -> True
  Nothing -> False

-- | Waits until nobody is inside, and returns what it was given.  What is thrown to the caller meanwhile
-- goes on to the helpers, and takes its place.
settle :: Context -> Worker -> IORef Board -> Maybe SomeException -> IO (Maybe SomeException)
settle !context !self !board pending = try (sleep context board) >>= either again (\() -> pure pending)
  where again e = c_cancel self >> interrupt board e >> settle context self board (Just e)
{-# NOINLINE settle #-}

-- | Sleeps until nobody is inside.
sleep :: Context -> IORef Board -> IO ()
sleep context board = do
  ring <- newEmptyMVar
  atomicModifyIORef' board (\b -> (b { bell = Just ring }, ()))
  left <- c_will_sleep context
  unless (left == 0) (awaitMVar (takeMVar ring))

-- | For a wait that others will end who may wait for ever themselves: they get the exception for that
-- too, and end the wait.
awaitMVar :: IO a -> IO a
awaitMVar action = action `catch` \BlockedIndefinitelyOnMVar -> awaitMVar action

-- | In a given masking state, whatever that of the calling thread is.
inState :: MaskingState -> IO a -> IO a
inState Unmasked action = unsafeUnmask action
inState MaskedInterruptible (IO action) = IO (maskAsyncExceptions# action)
inState MaskedUninterruptible (IO action) = IO (maskUninterruptible# action)

-- | True: it held this very object, and now holds the other one. It may be false for another reason, as a
-- compiler may copy an object.
replace :: IORef a -> a -> a -> IO Bool
replace (IORef (STRef variable)) old new = IO $ \s -> case casMutVar# variable old new s of
  (# s', failed, _ #) -> (# s', isTrue# (failed ==# 0#) #)

-- | The number of the calling thread, which no other has, then or later. Here, since a module that GHCi
-- interprets, as it does those without unboxed tuples, cannot call C with a 'ThreadId#'.
myThreadNumber :: IO Int64
myThreadNumber = myThreadId >>= \(ThreadId thread) -> c_thread thread

-- | Throws it to all helpers of this loop.  By threads of their own, because one of them may be where no
-- exception reaches it for a while; and one after the other to each.
interrupt :: IORef Board -> SomeException -> IO ()
interrupt board e = do
  helpers <- atomicModifyIORef' board (\b -> (b { ended = True }, inside b))
  forM_ helpers $ \(Helper weak turn) ->
    deRefWeak weak >>= mapM_ (\helper -> forkIO (withMVar turn (\() -> throwTo helper e)))

-- | The value of an action that does nothing but compute it, in loops.
--
-- It may be under evaluation by a thread that is interrupted, while its value is wanted elsewhere. What
-- interrupted that thread must not become the value, and it does not show that it came from outside:
-- anything may be thrown to a thread. So every exception is thrown to this thread anew, from outside, and
-- whoever wants the value later begins again here. An exception of the value itself comes each time.
pureLoop :: IO a -> a
pureLoop action = unsafePerformIO compute
  where
    compute = try action >>= either again pure
    again e = myThreadId >>= \self -> throwTo self (e :: SomeException) >> compute
{-# NOINLINE pureLoop #-}

-- ---------------------------------------------------------------------------------- a helper

-- | What a worker of the pool does in Haskell (@cbits/LoopHelpers.c@), in a thread of its own that nobody
-- knows until it is inside, with exceptions masked: one that comes late comes to nothing. So it does not
-- throw, and nobody who throws to it can hit another loop.
serve :: Context -> Weak Cell -> IO ()
serve context weak = mask_ $ do
  worker <- c_enter context
  when (worker /= nullPtr) (deRefWeak weak >>= mapM_ (readIORef >=> help worker))

-- | Inside. As the job sees them, exceptions are masked as they were for the caller.
help :: Worker -> Job -> IO ()
help worker (Job restore job board) = do
  self <- Helper <$> (myThreadId >>= mkWeakThreadId) <*> newMVar ()
  over <- atomicModifyIORef' board (\b -> (b { inside = self : inside b }, ended b))
  unless over (restore (job worker) `catch` failed)
  last' <- c_leave worker
  when (last' /= 0) (readIORef board >>= mapM_ (`tryPutMVar` ()) . bell)
  where
    failed e = do
      c_cancel worker
      atomicModifyIORef' board (\b -> (b { failure = maybe (Just e) Just (failure b) }, ()))

-- ---------------------------------------------------------------------------------- both

-- | Draws chunks until there are none: @chunk first end@ for iterations @first … end-1@, counted from
-- 0.  Between chunks the Haskell thread gives way where the runtime system wants its Capability
-- ('makeRoom'), so that a loop that does not allocate holds up neither a collection nor an exception.
drawChunks :: (Int -> Int -> IO ()) -> Worker -> IO ()
drawChunks chunk worker = draw
  where
    draw = do
      first <- fromIntegral <$> c_next worker
      if first >= 0
        then peekByteOff worker 0 >>= chunk first >> draw
        else unless (first == done) (makeRoom >> draw)
    done = -1 :: Int
{-# INLINE drawChunks #-}

-- | To the scheduler and back, for an allocation finds that the heap limit was cleared.  Not 'Control.Concurrent.yield',
-- which is for a thread that has nothing to do: it gives the rest of the time slice to others, and a
-- loop that did so at every collection would starve beside threads that allocate.
makeRoom :: IO ()
makeRoom = newIORef () >>= \ref -> readIORef ref
{-# NOINLINE makeRoom #-}

-- | No further chunk is handed out, and nobody wants what this one gives.
isCancelled :: Worker -> IO Bool
isCancelled worker = (/= 0) <$> c_is_cancelled worker

-- | The number of the chunk that the worker has drawn last, from 0; chunks with smaller numbers have
-- smaller iterations.
chunkNumber :: Worker -> IO Int
chunkNumber worker = fromIntegral <$> (peekByteOff worker 8 :: IO Int64)
{-# INLINE chunkNumber #-}
