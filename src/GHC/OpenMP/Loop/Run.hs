{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE UnboxedTuples #-}

-- | The Haskell half of @cbits/Loop.c@: runs a job on the calling thread and on the workers of the
-- pool that help, and passes exceptions to the calling thread. The protocol is described in
-- @cbits/Loop.md@.
--
-- Invariants: when 'execute' returns or throws an exception, no thread runs the job any more. It does not throw what the loop has sent to
-- end its own bodies, which is 'isOf' its board: by the time that all have left, there is an exception because of which that was sent, and it
-- throws that one.
module GHC.OpenMP.Loop.Run
  ( Shape (..)
  , shapeOf
  , shapeUnknown
  , execute
  , executeGroup
  , executeAtOnce
  ) where

import Control.Concurrent (killThread, yield)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (unless, void, when, (>=>))
import Data.Bits (testBit)
import Data.Int (Int64)
import Data.IORef
import Data.Maybe (fromMaybe, isNothing)
import Data.Word (Word32)
import Foreign.C.Types (CInt (..), CUInt (..))
import Foreign.Ptr (castPtr, nullPtr)
import Foreign.StablePtr
import Foreign.Storable (poke, pokeByteOff)
import GHC.Conc (myThreadId)
import GHC.Exts (mkWeakNoFinalizer#)
import GHC.IO (IO (..))
import GHC.IORef (IORef (..))
import GHC.OpenMP.Loop.Board
import GHC.OpenMP.Loop.Deputy
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Follow
import GHC.OpenMP.Loop.Primitive
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Loop.Watch
import GHC.OpenMP.Refusal
import GHC.OpenMP.Schedule
import GHC.STRef (STRef (..))
import GHC.Stack (HasCallStack, callStack)
import System.Mem.Weak (Weak, deRefWeak)
import qualified GHC.Weak as Weak

-- | What the dispenser needs to know.
data Shape = Shape
  { shapeCount :: !Int    -- ^ iterations; 0: nobody knows how many
  , shapeChunk :: !Int    -- ^ in a chunk; 0: the usual size
  , shapeSchedule :: !Int -- ^ @enum handing_out@
  , shapeWorkers :: !Int  -- ^ at most; 0: as many as usual
  }

-- | Of a task group.
noChunks :: Int
noChunks = 4

-- | A loop over @from <= i < to@, which must not be empty. A range of more than 'maxBound'
-- iterations is refused.
shapeOf :: HasCallStack => Schedule -> Int -> Int -> Shape
shapeOf schedule from to
  | count < 0 = throw (LoopTooLong from to callStack)
  | otherwise = case schedule of
      Auto -> Shape count 0 2 0
      Static -> Shape count 0 0 0
      StaticChunk size -> Shape count (max 1 size) 1 0
      Dynamic size -> Shape count (max 1 size) 2 0
      Guided size -> Shape count (max 1 size) 3 0
  where count = to - from

-- | A loop whose iterations come one by one, until one of them ends it ('GHC.OpenMP.Loop.Share.cancel').
shapeUnknown :: Shape
shapeUnknown = Shape 0 1 2 0

-- | A task group: one chunk for each worker, and no iterations.
taskShape :: Shape
taskShape = Shape 1 1 noChunks 0

foreign import ccall unsafe "ghcomp_loop_take" c_take :: IO Context
foreign import ccall unsafe "ghcomp_loop_give" c_give :: Context -> IO ()
foreign import ccall unsafe "ghcomp_loop_describe"
  c_describe :: Context -> Int64 -> Int64 -> CInt -> CUInt -> IO Int64
foreign import ccall unsafe "ghcomp_loop_worker" c_worker :: Context -> Int64 -> IO Worker
foreign import ccall unsafe "ghcomp_loop_open" c_open :: Context -> IO CInt
foreign import ccall unsafe "ghcomp_loop_admit" c_admit :: Context -> IO ()
foreign import ccall unsafe "ghcomp_loop_enter" c_enter :: Context -> IO Worker
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_loop_close" c_close :: Context -> IO Word32
foreign import ccall unsafe "ghcomp_loop_wait" c_wait :: Context -> IO Word32
foreign import ccall unsafe "ghcomp_loop_will_sleep" c_will_sleep :: Context -> IO Word32

-- ---------------------------------------------------------------------------------- the caller

-- | @execute shape prepare@ runs a job on the calling thread (as worker 0) and on helpers.
-- @prepare@ makes the job, from the calling thread's worker and the number of chunks. When all
-- threads have returned, 'execute' returns the other result of @prepare@. A job draws chunks until
-- there are none ('drawChunks'). After the first exception, however it came, no chunk begins, and
-- the other bodies get 'TaskCancelled'. When all have ended, the exception is thrown here.
execute :: Shape -> (Worker -> Int -> IO (Share -> IO (), r)) -> IO r
execute shape prepare = executeWith shape (\_ _ self chunks -> asLoop <$> prepare self chunks)
  where asLoop (job, result) = (job, TakeShares, result)

-- | A task group. The board is for 'ownerIn' and 'helperIn'.
executeGroup :: (IORef Board -> Calls -> Worker -> Int -> IO (Share -> IO (), Help, r)) -> IO r
executeGroup = executeWith taskShape

executeWith :: forall r. Shape -> (IORef Board -> Calls -> Worker -> Int -> IO (Share -> IO (), Help, r)) -> IO r
executeWith !shape prepare = mask $ \restore -> do
  Opened context seat cell self board chunks <- describe shape
  share <- newShare self
  thread <- myThreadId
  outcome <- try $ do
    let admit = introduce board thread >> c_admit context
        shownOf (job, help', _) = Job restore job help' board thread share False
        over made@(job, _, _) = c_close context >>= \some ->
          if some == wantsHelp then admit >> restore (job share) >> over made
          else unless (some == 0) (finish context self board)
    made@(_, _, result) <- restore $ do
      made@(job, _, _) <- prepare board (callsOf context (watchAgain self seat cell)) self chunks
      unless (isSingle shape) (writeIORef cell (shownOf made) >> keep seat cell)
      opened <- c_open context
      when (opened >= lacksWatcher) (mask_ wakeWatcher)
      unless (testBit opened 0) admit
      made <$ job share
    over made
    pure result
  endShare share
  result <- either (fmap Left . stop context self board) (pure . Right) outcome
  conclude shape context seat cell board result

-- | The same for bodies that are promised a thread each: one that is blocked gives its place to another one at once. The caller executes
-- none ("GHC.OpenMP.Loop.Follow").
executeAtOnce :: Shape -> (Share -> IO ()) -> IO ()
executeAtOnce !shape job = mask $ \restore -> do
  Opened context seat cell self board _ <- describe shape
  share <- newShare self
  around <- callersLevels
  levels <- newIORef Nothing
  let shown deputy = Job restore job TakeShares board deputy share True
      -- Before the caller sleeps: its own follower would take it for blocked.
      begun deputy = if isSingle shape then pure False else do
        (known, promised) <- follow around (shown deputy) share deputy
        promised <$ writeIORef levels (Just known)
      goesOn = readIORef levels >>= mapM_ followNow
      interrupted deputy = c_cancel self >> interrupt board (const True) >> introduce board deputy >>= void . throwing board
      perform = do
        deputy <- myThreadId
        -- forkIO soon lets the new thread run, perhaps before the caller has told of it. Inside of another call that would be seen as
        -- blocked; else it is not worth the switch.
        unless (isSingle shape || isNothing around) $
          readIORef levels >>= maybe (yield >> readIORef levels) (pure . Just) >>= mapM_ remember
        let admit = introduce board deputy >> c_admit context
            draw = restore (job share) >> c_close context >>= \some -> when (some == wantsHelp) (admit >> draw)
        unless (isSingle shape) (writeIORef cell (shown deputy) >> keep seat cell)
        opened <- c_open context
        when (opened >= lacksWatcher) wakeWatcher
        (unless (testBit opened 0) admit >> draw) `finally` endShare share
      worst (Just e) (Just e') | not (isOf board e') = Just (moreUrgent e e')
      worst struck e = maybe e Just struck
  (struck, ended') <- byDeputy begun goesOn interrupted perform
  readIORef levels >>= mapM_ (`unfollow` share)
  mapM_ remember around
  outcome <- try $ do
    mapM_ throwIO (worst struck (either Just (const Nothing) ended'))
    some <- c_close context
    unless (some == 0) (finish context self board)
  result <- either (fmap Left . stop context self board) (pure . Right) outcome
  conclude shape context seat cell board result

-- | Nobody else has anything to do in it.
isSingle :: Shape -> Bool
isSingle shape = shapeCount shape == 1 && shapeSchedule shape /= noChunks

data Opened = Opened !Context !(IORef Keeps) !Cell !Worker !(IORef Board) !Int

-- | A context for a loop that has been described, its seat, and the number of chunks.
describe :: Shape -> IO Opened
describe shape = do
  context <- c_take
  Seat seat _ self <- seatOf context
  cell <- keptBy seat
  board <- newIORef blank
  chunks <- c_describe context (fromIntegral (shapeCount shape)) (fromIntegral (shapeChunk shape))
    (fromIntegral (shapeSchedule shape)) (fromIntegral (shapeWorkers shape))
  pure (Opened context seat cell self board (fromIntegral chunks))
{-# INLINE describe #-}

-- | No thread is inside any more: returns the result, or throws the loop's first exception.
conclude :: Shape -> Context -> IORef Keeps -> Cell -> IORef Board -> Either SomeException r -> IO r
conclude shape context seat cell board result = do
  first <- settle board
  unless (isSingle shape) (writeIORef cell NoJob >> (writeIORef seat $! Rests cell))
  c_give context
  case result of
    Left e | not (isOf board e) -> throwIO e
    _ -> maybe (either throwIO pure result) throwIO first
{-# INLINE conclude #-}

-- | A bit of a result of @ghcomp_loop_open@. The other one is 1: the caller begins alone.
lacksWatcher :: CInt
lacksWatcher = 2

-- | After all helpers have left. What one of them has thrown to the caller has arrived, or never
-- will. Returns the first exception of a helper.
settle :: IORef Board -> IO (Maybe SomeException)
settle board = do
  last' <- readIORef board
  mapM_ (uninterruptibleMask_ . killThread) (thrower last')
  pure (failure last')

-- | A context's seat. It is made once for each context, with the action that helpers perform, which
-- refers to the cell.
seatOf :: Context -> IO Seat
seatOf context = seatAt context >>= maybe make pure
  where
    make = do
      cell <- newIORef NoJob
      weak <- weakly cell
      newStablePtr (serve context weak) >>= poke (castPtr context)
      seat <- Seat <$> newIORef (Rests cell) <*> pure weak <*> c_worker context 0
      seat <$ (newStablePtr seat >>= pokeByteOff context 8)

weakly :: IORef a -> IO (Weak (IORef a))
weakly cell@(IORef (STRef variable)) = IO $ \s -> case mkWeakNoFinalizer# variable cell s of
  (# s', weak #) -> (# s', Weak.Weak weak #)

-- | A result of @ghcomp_loop_close@: the caller was alone and has found that the loop is long. It
-- draws again when helpers may enter.
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
-- is thrown to the caller meanwhile ends the helpers' bodies, too, and replaces that one, unless that one is more urgent; but not
-- one that came from a helper of this loop.
awaitHelpers :: Context -> Worker -> IORef Board -> Maybe SomeException -> IO (Maybe SomeException)
awaitHelpers !context !self !board pending = try (sleep context board) >>= either again (\() -> pure pending)
  where
    again e
      | isOf board e = awaitHelpers context self board pending
      | otherwise = c_cancel self >> interrupt board (const True) >> awaitHelpers context self board (Just (maybe e (moreUrgent e) pending))
{-# NOINLINE awaitHelpers #-}

-- | Sleeps until no helper is inside.
sleep :: Context -> IORef Board -> IO ()
sleep context board = do
  ring <- newEmptyMVar
  atomicModifyIORef' board (\b -> (b { bell = Just ring }, ()))
  left <- c_will_sleep context
  unless (left == 0) (awaitMVar (takeMVar ring))

-- ---------------------------------------------------------------------------------- a helper

-- | What a worker of the pool does in Haskell (@cbits/LoopHelpers.c@), in a thread of its own, with
-- exceptions masked. No other thread knows this thread until it is inside. A late helper finds
-- nothing to do. So this does not throw, and an exception to this thread cannot hit another loop.
serve :: Context -> Weak Cell -> IO ()
serve context weak = mask_ $ do
  worker <- c_enter context
  when (worker /= nullPtr) (deRefWeak weak >>= mapM_ (readIORef >=> help worker))

-- | Inside the loop.
help :: Worker -> Job -> IO ()
help _ NoJob = pure ()
help worker job = do
  self <- newParticipant worker
  begins <- enrol (boardOf job) self
  participateFollowed job self begins
