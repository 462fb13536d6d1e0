-- | OpenMP's internal control variables, from Haskell.
--
-- A variable belongs to an OpenMP task, and so to an OS thread, but a Haskell thread may run on
-- many OS threads. So there are no setters here. A @with…@ function runs its action in a /bound/
-- thread: in the calling thread if that is bound, as @main@'s is; otherwise in a new one, which
-- costs some 20 µs. All C calls and loops of the action see the value. The old value is restored
-- afterwards, also after an exception. Threads that the action forks have the program's own values.
-- An exception that is thrown to the calling thread meanwhile arrives in the action, which has the
-- caller's masking state, but another 'Control.Concurrent.myThreadId'.
--
-- These names are for a qualifier: @import qualified GHC.OpenMP.Settings as Settings@.
--
-- The program's own values come from the environment: @OMP_NUM_THREADS@ and the other variables of
-- OpenMP 5.2, chapter 21.
module GHC.OpenMP.Settings
  ( -- * Team size
    maxThreads
  , withNumThreads
  , threadLimit
  , processors
  , dynamicThreads
  , withDynamicThreads
    -- * Nesting
  , maxActiveLevels
  , withMaxActiveLevels
  , supportedActiveLevels
    -- * Where this thread is
  , threadNumber
  , teamSize
  , inParallel
  , level
  , activeLevel
    -- * Schedules
  , runtimeSchedule
  , withRuntimeSchedule
    -- * Waiting
  , WaitPolicy (..)
  , waitPolicy
    -- * Places
  , ProcBind (..)
  , procBind
  , places
  , placeNumber
    -- * Time
  , wallTime
  , wallTick
    -- * The bound thread of an action
  , runBound
    -- * Refusals
  , BadArgument (..)
  ) where

import Control.Concurrent (ThreadId, forkOS, isCurrentThreadBound, myThreadId, rtsSupportsBoundThreads)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (forM)
import Data.Bits (clearBit, testBit)
import Foreign.C.Types (CDouble (..), CInt (..), CUInt (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import Foreign.Storable (peek)
import GHC.OpenMP.Loop.Primitive (awaitMVar, inState)
import GHC.OpenMP.Refusal
import GHC.OpenMP.Schedule
import GHC.Stack (HasCallStack, callStack, withFrozenCallStack)

foreign import ccall unsafe "ghcomp_settings_max_threads" c_max_threads :: IO CUInt
foreign import ccall unsafe "ghcomp_settings_threads" c_threads :: IO CUInt
foreign import ccall unsafe "ghcomp_settings_set_threads" c_set_threads :: CUInt -> IO ()
foreign import ccall unsafe "omp_get_thread_limit" c_thread_limit :: IO CInt
foreign import ccall unsafe "omp_get_num_procs" c_num_procs :: IO CInt
foreign import ccall unsafe "omp_get_dynamic" c_dynamic :: IO CInt
foreign import ccall unsafe "omp_set_dynamic" c_set_dynamic :: CInt -> IO ()
foreign import ccall unsafe "omp_get_max_active_levels" c_max_active_levels :: IO CInt
foreign import ccall unsafe "omp_set_max_active_levels" c_set_max_active_levels :: CInt -> IO ()
foreign import ccall unsafe "omp_get_supported_active_levels" c_supported_levels :: IO CInt
foreign import ccall unsafe "omp_get_thread_num" c_thread_num :: IO CInt
foreign import ccall unsafe "omp_get_num_threads" c_num_threads :: IO CInt
foreign import ccall unsafe "omp_in_parallel" c_in_parallel :: IO CInt
foreign import ccall unsafe "omp_get_level" c_level :: IO CInt
foreign import ccall unsafe "omp_get_active_level" c_active_level :: IO CInt
foreign import ccall unsafe "omp_get_schedule" c_schedule :: Ptr CInt -> Ptr CInt -> IO ()
foreign import ccall unsafe "omp_set_schedule" c_set_schedule :: CInt -> CInt -> IO ()
foreign import ccall unsafe "ghcomp_settings_wait_policy" c_wait_policy :: IO CInt
foreign import ccall unsafe "omp_get_proc_bind" c_proc_bind :: IO CInt
foreign import ccall unsafe "omp_get_num_places" c_num_places :: IO CInt
foreign import ccall unsafe "omp_get_place_num" c_place_num :: IO CInt
foreign import ccall unsafe "omp_get_place_num_procs" c_place_num_procs :: CInt -> IO CInt
foreign import ccall unsafe "omp_get_place_proc_ids" c_place_proc_ids :: CInt -> Ptr CInt -> IO ()
foreign import ccall unsafe "omp_get_wtime" c_wtime :: IO CDouble
foreign import ccall unsafe "omp_get_wtick" c_wtick :: IO CDouble

-- $setup
-- >>> import GHC.OpenMP.Settings

int :: IO CInt -> IO Int
int = fmap fromIntegral

-- | Runs the action in a bound thread: the calling one, if it is bound. A program without
-- @-threaded@ has one OS thread, which needs no binding.
--
-- @since 0.1.0
runBound :: IO a -> IO a
runBound action = do
  bound <- isCurrentThreadBound
  if bound || not rtsSupportsBoundThreads then action else inBoundThread action

-- | The calling thread waits, and passes on exceptions that are thrown to it. During a safe call it
-- would not receive them.
inBoundThread :: IO a -> IO a
inBoundThread action = mask $ \restore -> do
  running <- newMVar True
  started <- newEmptyMVar
  finished <- newEmptyMVar
  _ <- uninterruptibleMask_ $ forkOS $ inState MaskedInterruptible $ do
    myThreadId >>= putMVar started
    outcome <- try (restore action)
    end running outcome >>= putMVar finished
  thread <- uninterruptibleMask_ (readMVar started)
  waitFor thread running finished >>= either (throwIO :: SomeException -> IO a) pure

-- | The bound thread has its outcome. From now on no further exception is thrown to it. One that is
-- already on its way may still arrive, and is then the outcome.
end :: MVar Bool -> Either SomeException a -> IO (Either SomeException a)
end running outcome = (outcome <$ swapMVar running False) `catch` (end running . Left)

-- | Passes an exception on to the bound thread while that runs the action. If the action has ended,
-- the exception stays with the calling thread.
waitFor :: ThreadId -> MVar Bool -> MVar r -> IO r
waitFor thread running finished = awaitMVar (readMVar finished) `catch` passOn
  where
    passOn e = do
      passed <- try $ withMVar running (\runs -> if runs then True <$ throwTo thread (e :: SomeException) else pure False)
      case passed of
        Right True -> waitFor thread running finished
        Right False -> throwIO e
        Left later -> passOn later

scoped :: IO s -> (s -> IO ()) -> IO () -> IO a -> IO a
scoped get put set action = runBound $ do
  old <- get
  bracket_ set (put old) action

atLeast :: HasCallStack => String -> Int -> Int -> IO CInt
atLeast function least n
  | n < least || n > fromIntegral (maxBound :: CInt) = throwIO $ BadArgument ("GHC.OpenMP.Settings." ++ function) (show n)
      ("a number from " ++ show least ++ " to " ++ show (maxBound :: CInt)) "nothing was changed" callStack
  | otherwise = pure (fromIntegral n)

-- | The most threads of this thread's next region or loop: @nthreads-var@. It is the number of
-- Capabilities unless another number was requested. It never waits for a turn, as C's
-- @omp_get_max_threads@ may. Source: OpenMP 5.2, 18.2.3.
--
-- @since 0.1.0
maxThreads :: IO Int
maxThreads = fromIntegral <$> c_max_threads

-- | Regions and loops of the action have at most this many threads. A loop never has more threads
-- than there are Capabilities. 'BadArgument' if the number is below 1. Source: OpenMP 5.2, 18.2.1.
--
-- >>> withNumThreads 3 maxThreads
-- 3
--
-- @since 0.1.0
withNumThreads :: HasCallStack => Int -> IO a -> IO a
withNumThreads n action = do
  wanted <- withFrozenCallStack (atLeast "withNumThreads" 1 n)
  scoped c_threads c_set_threads (c_set_threads (fromIntegral wanted)) action

-- | The most threads of all regions of one contention group together: @OMP_THREAD_LIMIT@.
--
-- @since 0.1.0
threadLimit :: IO Int
threadLimit = int c_thread_limit

-- | Processors that this process may use. Source: OpenMP 5.2, 18.7.1.
--
-- @since 0.1.0
processors :: IO Int
processors = int c_num_procs

-- | True: the runtime may make teams smaller than requested. Source: OpenMP 5.2, 18.2.7.
--
-- @since 0.1.0
dynamicThreads :: IO Bool
dynamicThreads = (/= 0) <$> c_dynamic

-- | Sets 'dynamicThreads' for the regions of the action.
--
-- @since 0.1.0
withDynamicThreads :: Bool -> IO a -> IO a
withDynamicThreads on = scoped c_dynamic c_set_dynamic (c_set_dynamic (fromIntegral (fromEnum on)))

-- | How many nested regions may have more than one thread. Source: OpenMP 5.2, 18.2.16.
--
-- @since 0.1.0
maxActiveLevels :: IO Int
maxActiveLevels = int c_max_active_levels

-- | Sets this number for the regions of the action. 'BadArgument' if it is negative.
--
-- @since 0.1.0
withMaxActiveLevels :: HasCallStack => Int -> IO a -> IO a
withMaxActiveLevels n action = do
  wanted <- withFrozenCallStack (atLeast "withMaxActiveLevels" 0 n)
  scoped c_max_active_levels c_set_max_active_levels (c_set_max_active_levels wanted) action

-- | The largest value that 'withMaxActiveLevels' has an effect for.
--
-- @since 0.1.0
supportedActiveLevels :: IO Int
supportedActiveLevels = int c_supported_levels

-- | This thread's number in its team: 0 outside of regions. In the body of a Haskell loop each
-- helper has a different number. The loop's caller is not in a region. Source: OpenMP 5.2, 18.2.4.
--
-- @since 0.1.0
threadNumber :: IO Int
threadNumber = int c_thread_num

-- | Threads of the team that this thread is in. Source: OpenMP 5.2, 18.2.2.
--
-- @since 0.1.0
teamSize :: IO Int
teamSize = int c_num_threads

-- | True: this thread is in a region of more than one thread. Source: OpenMP 5.2, 18.2.6.
--
-- @since 0.1.0
inParallel :: IO Bool
inParallel = (/= 0) <$> c_in_parallel

-- | How many regions this thread is in, and how many of them have more than one thread. Source:
-- OpenMP 5.2, 18.2.17 and 18.2.20.
--
-- @since 0.1.0
level, activeLevel :: IO Int
level = int c_level
activeLevel = int c_active_level

-- | The schedule of C loops with @schedule(runtime)@: @run-sched-var@. Source: OpenMP 5.2, 18.2.12.
--
-- @since 0.1.0
runtimeSchedule :: IO Schedule
runtimeSchedule = alloca $ \kind -> alloca $ \chunk -> do
  c_schedule kind chunk
  scheduleOf <$> peek kind <*> (fromIntegral <$> peek chunk)

-- | The numbers of @omp_sched_t@. The highest bit means monotonic.
scheduleOf :: CInt -> Int -> Schedule
scheduleOf kind chunk = case if testBit kind 31 then clearBit kind 31 else kind of
  1 | chunk > 0 -> StaticChunk chunk
    | otherwise -> Static
  2 -> Dynamic (max 1 chunk)
  3 -> Guided (max 1 chunk)
  _ -> Auto

-- | Sets it for the regions of the action.
--
-- >>> withRuntimeSchedule (Guided 4) runtimeSchedule
-- Guided 4
--
-- @since 0.1.0
withRuntimeSchedule :: Schedule -> IO a -> IO a
withRuntimeSchedule schedule = scoped runtimeSchedule put (put schedule)
  where
    put s = let (kind, chunk) = numbersOf s in c_set_schedule kind (fromIntegral chunk)
    numbersOf s = case s of
      Static -> (1, 0)
      StaticChunk n -> (1, max 1 n)
      Dynamic n -> (2, max 1 n)
      Guided n -> (3, max 1 n)
      Auto -> (4, 0 :: Int)

-- | @OMP_WAIT_POLICY@. It is read when the program starts, and cannot be changed later. Source:
-- OpenMP 5.2, 21.1.10.
--
-- @since 0.1.0
data WaitPolicy
  = DefaultWait -- ^ Not given: waiting threads spin for a moment, and then sleep.
  | ActiveWait  -- ^ Waiting threads spin.
  | PassiveWait -- ^ Waiting threads sleep at once.
  deriving (Eq, Ord, Enum, Bounded, Read, Show)

-- | The wait policy in force.
--
-- @since 0.1.0
waitPolicy :: IO WaitPolicy
waitPolicy = fmap (\p -> if p > 0 then ActiveWait else if p == 0 then PassiveWait else DefaultWait)
  c_wait_policy

-- | How threads of a team are bound to places. Source: OpenMP 5.2, 10.1.3.
--
-- @since 0.1.0
data ProcBind = BindFalse | BindTrue | BindPrimary | BindClose | BindSpread
  deriving (Eq, Ord, Enum, Bounded, Read, Show)

-- | The binding of the next region: @bind-var@. Source: OpenMP 5.2, 18.3.1.
--
-- @since 0.1.0
procBind :: IO ProcBind
procBind = toEnum . fromIntegral <$> c_proc_bind

-- | The processors of each place of @OMP_PLACES@. The list is empty if threads are not bound.
-- Source: OpenMP 5.2, 18.3.2 to 18.3.4.
--
-- @since 0.1.0
places :: IO [[Int]]
places = do
  count <- c_num_places
  forM [0 .. count - 1] $ \place -> do
    n <- fromIntegral <$> c_place_num_procs place
    map fromIntegral <$> allocaArray n (\ids -> c_place_proc_ids place ids >> peekArray n ids)

-- | The place that this thread is bound to. Source: OpenMP 5.2, 18.3.5.
--
-- @since 0.1.0
placeNumber :: IO (Maybe Int)
placeNumber = (\n -> if n < 0 then Nothing else Just (fromIntegral n)) <$> c_place_num

-- | Seconds since some time in the past, the same for all threads. Source: OpenMP 5.2, 18.10.1.
--
-- @since 0.1.0
wallTime :: IO Double
wallTime = realToFrac <$> c_wtime

-- | Seconds between two ticks of 'wallTime'.
--
-- @since 0.1.0
wallTick :: IO Double
wallTick = realToFrac <$> c_wtick
