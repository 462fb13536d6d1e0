{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | The Haskell half of @cbits/Loop.c@: runs a job on the calling thread and on the workers of the
-- pool that help, and passes exceptions to the calling thread. The protocol is described in
-- @cbits/Loop.md@.
--
-- Invariant: when 'execute' returns or throws an exception, no thread runs the job any more.
module GHC.OpenMP.Loop.Run
  ( Worker
  , Shape (..)
  , shapeOf
  , taskShape
  , Board
  , execute
  , executeOn
  , ownerIn
  , helperIn
  , drawChunks
  , isCancelled
  , giveWay
  , chunkNumber
  , awaitMVar
  , inState
  , replace
  , myThreadNumber
  , isInTransaction
  ) where

import Control.Concurrent (forkIO, killThread)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (filterM, forM_, unless, void, when, (>=>))
import Data.Int (Int64)
import Data.IORef
import Data.Maybe (fromMaybe, isNothing, listToMaybe)
import Data.Word (Word32)
import Foreign.C.Types (CBool (..), CInt (..), CUInt (..))
import Foreign.Ptr (Ptr, castPtr, nullPtr)
import Foreign.StablePtr
import Foreign.Storable (peekByteOff, poke, pokeByteOff)
import GHC.Conc (ThreadId (..), myThreadId)
import GHC.Exts (ThreadId#, casMutVar#, isTrue#, maskAsyncExceptions#, maskUninterruptible#, mkWeakNoFinalizer#, (==#))
import GHC.IO (IO (..), unsafeUnmask)
import GHC.IORef (IORef (..))
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Schedule
import GHC.STRef (STRef (..))
import System.IO.Unsafe (unsafePerformIO)
import System.Mem.Weak (deRefWeak)
import GHC.Weak (Weak (..))

data ContextOfC

data WorkerOfC

-- | A loop that can be entered (@struct loop_context@).
type Context = Ptr ContextOfC

-- | One of the threads that execute a loop (@struct loop_worker@).
type Worker = Ptr WorkerOfC

-- | What the dispenser needs to know.
data Shape = Shape
  { shapeCount :: !Int    -- ^ iterations, at least 1
  , shapeChunk :: !Int    -- ^ in a chunk; 0: the usual size
  , shapeSchedule :: !Int -- ^ @enum handing_out@
  , shapeWorkers :: !Int  -- ^ at most; 0: as many as usual
  }

-- | A loop over @from <= i < to@, which must not be empty. A range of more than 'maxBound'
-- iterations is refused.
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

-- | What the threads that execute one loop tell each other.
data Board = Board
  { ended :: !Bool                      -- ^ a helper that enters now has nothing to do
  , caller :: !(Maybe Executor)         -- ^ where helpers may enter
  , inside :: [Executor]                -- ^ helpers that have entered
  , failure :: !(Maybe SomeException)   -- ^ the first exception of a helper
  , thrower :: !(Maybe ThreadId)        -- ^ because of it, throws to the caller
  , bell :: !(Maybe (MVar ()))          -- ^ the caller sleeps on it; the last helper to leave fills
                                        -- it
  }

-- | Where a context's helpers find their job. While a loop runs, only its caller's stack keeps the
-- cell, and the job in it, alive. (A loop that its caller executes alone does not put its job
-- there.) So the garbage collector finds a body that waits for something that only the job refers
-- to. Between loops the seat keeps the cell alive.
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
foreign import ccall unsafe "ghcomp_in_transaction" c_in_transaction :: ThreadId# -> IO CBool
foreign import ccall unsafe "ghcomp_loop_will_sleep" c_will_sleep :: Context -> IO Word32

-- ---------------------------------------------------------------------------------- the caller

-- | @execute shape prepare@ runs a job on the calling thread (as worker 0) and on helpers.
-- @prepare@ makes the job, from the calling thread's worker and the number of chunks. When all
-- threads have returned, 'execute' returns the other result of @prepare@. A job draws chunks until
-- there are none ('drawChunks'). After the first exception, however it came, no chunk begins, and
-- the other bodies get 'TaskCancelled'. When all have ended, the exception is thrown here.
execute :: Shape -> (Worker -> Int -> IO (Worker -> IO (), r)) -> IO r
execute shape prepare = executeOn shape (const prepare)

-- | The same. The board is for 'ownerIn' and 'helperIn'.
executeOn :: forall r. Shape -> (IORef Board -> Worker -> Int -> IO (Worker -> IO (), r)) -> IO r
executeOn shape prepare = mask $ \restore -> do
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
          introduce board
          c_admit context
        over job = c_close context >>= \some ->
          if some == wantsHelp then admit job >> restore (job self) >> over job
          else unless (some == 0) (finish context self board)
    (job, result) <- restore $ do
      made@(job, _) <- prepare board self (fromIntegral chunks)
      alone <- c_open context
      when (alone == 0) (admit job)
      made <$ job self
    over job
    pure result
  result <- either (fmap Left . stop context self board) (pure . Right) outcome
  first <- settle board
  sits <- readIORef seat
  unless (sits == cell) (writeIORef cell nothingToDo >> writeIORef seat cell)
  c_give context
  case result of
    Left e | not (isOf board e) -> throwIO e
    _ -> maybe (either throwIO pure result) throwIO first

blank :: Board
blank = Board False Nothing [] Nothing Nothing Nothing

-- | Before helpers may enter.
introduce :: IORef Board -> IO ()
introduce board = () <$ ownerIn board
{-# NOINLINE introduce #-}

-- | The caller, which calls this.
ownerIn :: IORef Board -> IO Executor
ownerIn board = readIORef board >>= maybe make pure . caller
  where
    make = do
      self <- newExecutor
      self <$ atomicModifyIORef' board (\b -> (b { caller = Just self }, ()))

-- | A helper that has entered, and calls this.
helperIn :: IORef Board -> IO Executor
helperIn board = do
  self <- myThreadId
  found <- readIORef board >>= filterM (isExecutor self) . inside
  maybe newExecutor pure (listToMaybe found)

-- | After all helpers have left. What one of them has thrown to the caller has arrived, or never
-- will. Returns the first exception of a helper.
settle :: IORef Board -> IO (Maybe SomeException)
settle board = do
  last' <- readIORef board
  mapM_ (uninterruptibleMask_ . killThread) (thrower last')
  mapM_ forgetExecutor (caller last')
  pure (failure last')

-- | A context's seat. It is made once for each context, with the action that helpers perform, which
-- refers to the cell.
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

-- | The job of a context that is not in use. It keeps nothing alive.
nothingToDo :: Job
nothingToDo = Job id (const (pure ())) (error "GHC.OpenMP.Loop.Run: no loop is open")

-- | The cell on the seat of a context that is in use.
nowhere :: Cell
nowhere = unsafePerformIO (newIORef nothingToDo)
{-# NOINLINE nowhere #-}

-- | A result of @ghcomp_loop_close@: the caller was alone and has found that the loop is long. It
-- draws again when helpers may enter. A short loop never shows its job to helpers.
wantsHelp :: Word32
wantsHelp = maxBound

-- | No helper enters any more: waits for those inside. The wait can be interrupted.
finish :: Context -> Worker -> IORef Board -> IO ()
finish !context !self !board = do
  left <- c_wait context
  unless (left == 0) (awaitHelpers context self board Nothing >>= mapM_ throwIO)
{-# NOINLINE finish #-}

-- | After an exception in the caller: ends the bodies of the helpers that are inside, and waits for
-- these. Returns the exception to throw.
stop :: Context -> Worker -> IORef Board -> SomeException -> IO SomeException
stop !context !self !board e = do
  c_cancel self
  some <- c_close context
  if some == 0 || some == wantsHelp then pure e else do
    unless (isOf board e) (interrupt board (const True))
    fromMaybe e <$> awaitHelpers context self board (Just e)
{-# NOINLINE stop #-}

-- | Waits until no helper is inside, and returns the exception that it was given. An exception that
-- is thrown to the caller meanwhile ends the helpers' bodies, too, and replaces that one; but not
-- one that came from a helper of this loop.
awaitHelpers :: Context -> Worker -> IORef Board -> Maybe SomeException -> IO (Maybe SomeException)
awaitHelpers !context !self !board pending = try (sleep context board) >>= either again (\() -> pure pending)
  where
    again e
      | isOf board e = awaitHelpers context self board pending
      | otherwise = c_cancel self >> interrupt board (const True) >> awaitHelpers context self board (Just e)
{-# NOINLINE awaitHelpers #-}

-- | Sleeps until no helper is inside.
sleep :: Context -> IORef Board -> IO ()
sleep context board = do
  ring <- newEmptyMVar
  atomicModifyIORef' board (\b -> (b { bell = Just ring }, ()))
  left <- c_will_sleep context
  unless (left == 0) (awaitMVar (takeMVar ring))

-- | A wait that other threads end. If these wait for ever themselves, they get the exception for
-- that, too, and then end this wait. So the wait goes on.
awaitMVar :: IO a -> IO a
awaitMVar action = action `catch` \BlockedIndefinitelyOnMVar -> awaitMVar action

-- | Runs an action in a given masking state, whatever the calling thread's is.
inState :: MaskingState -> IO a -> IO a
inState Unmasked action = unsafeUnmask action
inState MaskedInterruptible (IO action) = IO (maskAsyncExceptions# action)
inState MaskedUninterruptible (IO action) = IO (maskUninterruptible# action)

-- | True: the reference held this object, and now holds the other one. False may also mean that the
-- compiler has copied the object.
replace :: IORef a -> a -> a -> IO Bool
replace (IORef (STRef variable)) old new = IO $ \s -> case casMutVar# variable old new s of
  (# s', failed, _ #) -> (# s', isTrue# (failed ==# 0#) #)

-- | The number of the calling thread, which no other thread ever has. It is here because a module
-- that GHCi interprets, such as one without unboxed tuples, cannot call C with a 'ThreadId#'.
myThreadNumber :: IO Int64
myThreadNumber = myThreadId >>= \(ThreadId thread) -> c_thread thread

-- | The calling thread is in a transaction of STM. It is here for the same reason.
isInTransaction :: IO Bool
isInTransaction = myThreadId >>= \(ThreadId thread) -> (/= 0) <$> c_in_transaction thread
{-# NOINLINE isInTransaction #-}

-- | Ends the bodies of those helpers of this loop that are concerned. Each has a thread of its own
-- for that, because a helper may be where no exception reaches it for a while. Each helper gets one
-- exception after the other.
interrupt :: IORef Board -> (MVar () -> Bool) -> IO ()
interrupt board concerned = do
  helpers <- atomicModifyIORef' board (\b -> (b { ended = True }, inside b))
  forM_ helpers $ \helper -> when (concerned (lockOf helper)) (void (forkIO (throwEnd board helper)))

-- | Ends the caller's body.
interruptCaller :: IORef Board -> IO ()
interruptCaller board = do
  target <- caller <$> readIORef board
  forM_ target $ \executor -> do
    forked <- forkIO (throwEnd board executor)
    atomicModifyIORef' board (\b -> (b { thrower = Just forked }, ()))

-- ---------------------------------------------------------------------------------- a helper

-- | What a worker of the pool does in Haskell (@cbits/LoopHelpers.c@), in a thread of its own, with
-- exceptions masked. No other thread knows this thread until it is inside. A late helper finds
-- nothing to do. So this does not throw, and an exception to this thread cannot hit another loop.
serve :: Context -> Weak Cell -> IO ()
serve context weak = mask_ $ do
  worker <- c_enter context
  when (worker /= nullPtr) (deRefWeak weak >>= mapM_ (readIORef >=> help worker))

-- | Inside the loop. The job has the caller's masking state.
help :: Worker -> Job -> IO ()
help worker (Job restore job board) = do
  self <- newExecutor
  over <- atomicModifyIORef' board (\b -> (b { inside = self : inside b }, ended b))
  unless over (restore (job worker) `catch` \e -> unless (isOf board e) (failed (lockOf self) e))
  last' <- c_leave worker
  when (last' /= 0) (readIORef board >>= mapM_ (`tryPutMVar` ()) . bell)
  where
    failed lock e = do
      c_cancel worker
      isFirst <- atomicModifyIORef' board (\b -> (b { failure = maybe (Just e) Just (failure b) }, isNothing (failure b)))
      when isFirst (interrupt board (/= lock) >> interruptCaller board)

-- ---------------------------------------------------------------------------------- both

-- | Draws chunks until there are none, and runs @chunk first end@ for iterations @first … end-1@,
-- counted from 0. Between chunks the Haskell thread gives way if the runtime system wants its
-- Capability ('giveWay'). So a loop that does not allocate delays neither a collection nor an
-- exception.
drawChunks :: (Int -> Int -> IO ()) -> Worker -> IO ()
drawChunks chunk worker = draw
  where
    draw = do
      first <- fromIntegral <$> c_next worker
      if first >= 0
        then peekByteOff worker 0 >>= chunk first >> draw
        else unless (first == done) (giveWay >> draw)
    done = -1 :: Int
{-# INLINE drawChunks #-}

-- | Goes to the scheduler and back, by an allocation, which finds that the heap limit was cleared.
-- 'Control.Concurrent.yield' would not do, because it gives the rest of the time slice to others: a
-- loop that did so at every collection would starve beside threads that allocate.
giveWay :: IO ()
giveWay = newIORef () >>= \ref -> readIORef ref
{-# NOINLINE giveWay #-}

-- | True: no further chunk is handed out, and the result of this one is not needed.
isCancelled :: Worker -> IO Bool
isCancelled worker = (/= 0) <$> c_is_cancelled worker

-- | The number of the chunk that the worker has drawn last, from 0. Chunks with smaller numbers
-- have smaller iterations.
chunkNumber :: Worker -> IO Int
chunkNumber worker = fromIntegral <$> (peekByteOff worker 8 :: IO Int64)
{-# INLINE chunkNumber #-}
