{-# LANGUAGE InterruptibleFFI #-}
{-# LANGUAGE ScopedTypeVariables #-}

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
  , chunkNumber
  ) where

import Control.Exception
import Control.Monad (unless, when)
import Data.Int (Int64)
import Data.IORef
import Data.Maybe (isNothing)
import Data.Word (Word32)
import Foreign.C.Types (CBool (..), CInt (..), CUInt (..))
import Foreign.Ptr (Ptr, castPtr, nullPtr)
import Foreign.StablePtr
import Foreign.Storable (peekByteOff, poke, pokeByteOff)
import GHC.Conc (myThreadId)
import GHC.OpenMP.Schedule
import System.IO.Unsafe (unsafePerformIO)

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
  , shapeSchedule :: !Int -- ^ @enum loop_schedule@
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

-- | What helpers find when they enter, and where the first failure is kept.
data Job = Job (Worker -> IO ()) !(IORef (Maybe SomeException))

foreign import ccall unsafe "ghcomp_loop_take" c_take :: IO Context
foreign import ccall unsafe "ghcomp_loop_give" c_give :: Context -> IO ()
foreign import ccall unsafe "ghcomp_loop_describe"
  c_describe :: Context -> Int64 -> Int64 -> CInt -> CUInt -> IO Int64
foreign import ccall unsafe "ghcomp_loop_worker" c_worker :: Context -> Int64 -> IO Worker
foreign import ccall unsafe "ghcomp_loop_open" c_open :: Context -> IO Worker
foreign import ccall unsafe "ghcomp_loop_enter" c_enter :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_loop_leave" c_leave :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_loop_next" c_next :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_loop_close" c_close :: Context -> IO Word32
foreign import ccall unsafe "ghcomp_loop_spin" c_spin :: Context -> IO Word32
foreign import ccall interruptible "ghcomp_loop_wait" c_wait :: Context -> IO Word32

-- ---------------------------------------------------------------------------------- the caller

-- | @execute shape prepare@ runs the job that @prepare@ makes, which is told the calling thread's worker
-- and the number of chunks, on the calling thread (as worker 0) and on helpers; when all of them have returned, it returns what
-- @prepare@ made beside the job.  A job draws chunks until there are none ('drawChunks').  The first
-- exception of anybody makes the others stop at their next chunk and is thrown here; an asynchronous
-- one to the caller does the same.
execute :: forall r. Shape -> (Worker -> Int -> IO (Worker -> IO (), r)) -> IO r
execute shape prepare = mask $ \restore -> do
  context <- c_take
  ref <- jobOf context
  failed <- newIORef Nothing
  chunks <- c_describe context (fromIntegral (shapeCount shape)) (fromIntegral (shapeChunk shape))
    (fromIntegral (shapeSchedule shape)) (fromIntegral (shapeWorkers shape))
  outcome <- try $ do
    first <- c_worker context 0
    (job, result) <- restore (prepare first (fromIntegral chunks))
    writeIORef ref (Job job failed)
    self <- c_open context
    (restore (job self) >> finish context) `onException` stop context self
    pure result
  writeIORef ref nothingToDo
  c_give context
  result <- either (throwIO :: SomeException -> IO r) pure outcome
  readIORef failed >>= maybe (pure result) throwIO

-- | The cell in which a context's helpers find their job.  Made once for each context, with the
-- function that helpers call, which knows the cell.
jobOf :: Context -> IO (IORef Job)
jobOf context = do
  stable <- peekByteOff context 8
  if castStablePtrToPtr stable /= nullPtr
    then deRefStablePtr stable
    else do
      ref <- newIORef nothingToDo
      newStablePtr (serve ref) >>= poke (castPtr context)
      newStablePtr ref >>= pokeByteOff context 8
      pure ref

-- | A context that is not in use keeps nothing alive.
nothingToDo :: Job
nothingToDo = Job (const (pure ())) (error "GHC.OpenMP.Loop.Run: no loop is open")

-- | Nobody enters any more; waits for those inside, and can be interrupted meanwhile.
finish :: Context -> IO ()
finish context = do
  inside <- c_close context
  unless (inside == 0) $ do
    left <- c_spin context
    unless (left == 0) sleep
  where
    sleep = do
      left <- c_wait context
      unless (left == 0) (allowInterrupt >> sleep)

-- | After an exception in the caller: those inside finish their chunks, which takes as long as the
-- longest of these.
stop :: Context -> Worker -> IO ()
stop context self = do
  c_cancel self
  _ <- c_close context
  uninterruptibleMask_ sleep
  where
    sleep = do
      left <- c_wait context
      unless (left == 0) sleep

-- | The value of an action that does nothing but compute it, in loops.
--
-- An asynchronous exception may find it under evaluation by a thread that another thread kills, while
-- its value is wanted elsewhere.  It must not become the value: it is thrown to this thread anew, as
-- asynchronous, and whoever wants the value later begins again here.
pureLoop :: IO a -> a
pureLoop action = unsafePerformIO compute
  where
    compute = try action >>= either again pure
    again e = case fromException e of
      Just (SomeAsyncException _) -> myThreadId >>= \self -> throwTo self e >> compute
      Nothing -> throwIO e
{-# NOINLINE pureLoop #-}

-- ---------------------------------------------------------------------------------- a helper

-- | Called by a worker of the pool (@cbits/LoopHelpers.c@).  Does not throw.
serve :: IORef Job -> Worker -> IO ()
serve ref worker = mask_ $ do
  entered <- c_enter worker
  when (entered /= 0) $ do
    Job job failed <- readIORef ref
    interruptible (job worker) `catch` \e -> do
      c_cancel worker
      atomicModifyIORef' failed $ \first -> (if isNothing first then Just e else first, ())
    c_leave worker

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

-- | To the scheduler and back, for an allocation finds that the heap limit was cleared.  Not 'yield',
-- which is for a thread that has nothing to do: it gives the rest of the time slice to others, and a
-- loop that did so at every collection would starve beside threads that allocate.
makeRoom :: IO ()
makeRoom = newIORef () >>= \ref -> readIORef ref
{-# NOINLINE makeRoom #-}

-- | The number of the chunk that the worker has drawn last, from 0; chunks with smaller numbers have
-- smaller iterations.
chunkNumber :: Worker -> IO Int
chunkNumber worker = fromIntegral <$> (peekByteOff worker 8 :: IO Int64)
{-# INLINE chunkNumber #-}
