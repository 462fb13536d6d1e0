-- | The version of this runtime, and what its threads run on.
--
-- These names are for a qualifier: @import qualified GHC.OpenMP.Runtime as Runtime@.
module GHC.OpenMP.Runtime
  ( version
  , Regions (..)
  , regions
  , Substrate (..)
  , substrate
  , workers
    -- * Counters
  , statistics
  , resetStatistics
  ) where

import Data.Word (Word64)

import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CUInt (..), CULLong (..))
import Foreign.Ptr (nullPtr)

foreign import ccall unsafe "ghcomp_version" c_version :: IO CString
foreign import ccall unsafe "ghcomp_runtime_other" c_other :: IO CString
foreign import ccall unsafe "ghcomp_substrate_name" c_substrate :: IO CString
foreign import ccall unsafe "ghcomp_substrate_reason" c_reason :: IO CString
foreign import ccall unsafe "ghcomp_workers" c_workers :: IO CUInt
foreign import ccall unsafe "ghcomp_stats_count" c_stats_count :: IO CUInt
foreign import ccall unsafe "ghcomp_stats_name" c_stats_name :: CUInt -> IO CString
foreign import ccall unsafe "ghcomp_stats_value" c_stats_value :: CUInt -> IO CULLong
foreign import ccall unsafe "ghcomp_stats_reset" c_stats_reset :: IO ()

-- | The version of this package and of its runtime.
--
-- @since 0.1.0
version :: IO String
version = c_version >>= peekCString

-- | Where an OpenMP region of C code in this process runs.
--
-- @since 0.1.0
data Regions
  = HaskellPool
    -- ^ On this package's pool. This is the normal case.
  | OtherRuntime FilePath
    -- ^ On the pool of another runtime, which comes before this package in the order of linking.
    -- The program has printed a message on standard error when it started.
  deriving (Eq, Show)

-- | Looks up the function that the loader gives a C library for @GOMP_parallel@. A library that was
-- opened with @RTLD_DEEPBIND@ may still use another one.
--
-- @since 0.1.0
regions :: IO Regions
regions = do
  other <- c_other
  if other == nullPtr then pure HaskellPool else OtherRuntime <$> peekCString other

-- | What supplies the threads.
--
-- @since 0.1.0
data Substrate
  = NotStarted         -- ^ No region has needed a second thread yet.
  | Capabilities       -- ^ This program's own runtime system.
  | PlainThreads String
    -- ^ Ordinary threads, and the reason: the program is not linked with @-threaded@, or
    -- @GHCOMP_SUBSTRATE=pthread@ is set. Then the callers of Haskell loops execute them alone.
  deriving (Eq, Show)

-- | The substrate in force.
--
-- @since 0.1.0
substrate :: IO Substrate
substrate = do
  name <- c_substrate >>= peekCString
  case name of
    "none" -> pure NotStarted
    "ghc" -> pure Capabilities
    _ -> PlainThreads <$> (c_reason >>= peekCString)

-- | The number of worker threads of the pool. Threads that start regions are not counted.
--
-- @since 0.1.0
workers :: IO Int
workers = fromIntegral <$> c_workers

-- | Counters of what the runtime has done since the start or the last 'resetStatistics', over all
-- threads: regions, sleeps and wake-ups, chunks, tasks run at once, deferred and stolen, and so on.
-- Counting is always on, and costs about an instruction for each event. While regions run, the
-- values are from slightly different moments. @GHCOMP_STATS=1@ prints the same as a table when the
-- program ends, and also counts @lock_hold_ns@. @callbacks@ counts the calls of
-- "GHC.OpenMP.Callback"'s functions. @callback_wait_ns@ is the time that these waited for a
-- Capability, including the tenth of a microsecond that each call takes (for up to 256 functions at
-- once, on x86-64). @haskell_calls@ and @capability_wait_ns@ are those of workers that help with a
-- Haskell loop.
--
-- Cost: a walk over all threads for each counter.
--
-- @since 0.1.0
statistics :: IO [(String, Word64)]
statistics = do
  count <- c_stats_count
  mapM one [0 .. count - 1]
  where one i = (,) <$> (c_stats_name i >>= peekCString) <*> (fromIntegral <$> c_stats_value i)

-- | Counters begin at 0 again, except @deepest_queue@, which is a maximum.
--
-- @since 0.1.0
resetStatistics :: IO ()
resetStatistics = c_stats_reset
