-- | Which runtime this is, and what it runs on.
--
-- Names here are for a qualifier: @import qualified GHC.OpenMP.Runtime as Runtime@.
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

-- | The version of this package, whose runtime is of the same version.
--
-- @since 0.1.0
version :: IO String
version = c_version >>= peekCString

-- | Where an OpenMP region of C code in this process runs.
--
-- @since 0.1.0
data Regions
  = HaskellPool
    -- ^ On this package's pool, as it should be.
  | OtherRuntime FilePath
    -- ^ On another runtime's, which stands before this package in the order of linking. The program
    -- said so on standard error when it started.
  deriving (Eq, Show)

-- | Looks up what the loader gives a C library for @GOMP_parallel@. A library that was opened with
-- @RTLD_DEEPBIND@ may still have its own.
--
-- @since 0.1.0
regions :: IO Regions
regions = do
  other <- c_other
  if other == nullPtr then pure HaskellPool else OtherRuntime <$> peekCString other

-- | Who supplies threads.
--
-- @since 0.1.0
data Substrate
  = NotStarted         -- ^ No region has needed a second thread yet.
  | Capabilities       -- ^ This program's own runtime system.
  | PlainThreads String
    -- ^ Not GHC; and why: the program is not linked with @-threaded@, or @GHCOMP_SUBSTRATE=pthread@
    -- asked for it. Haskell loops are then executed by their callers alone.
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

-- | Worker threads that the pool has now. The threads that start regions are not among them.
--
-- @since 0.1.0
workers :: IO Int
workers = fromIntegral <$> c_workers

-- | What the runtime has done since the start or the last 'resetStatistics', all threads together:
-- regions, sleeps and wake-ups, chunks, tasks run at once, deferred and stolen, and so on. Counting is always on and
-- costs about an instruction each. While regions run, values are of slightly different moments.
-- @GHCOMP_STATS=1@ prints the same as a table when the program ends, and counts @lock_hold_ns@ too. @callbacks@ are those of
-- "GHC.OpenMP.Callback", and @callback_wait_ns@ is how long they waited for a Capability, with the tenth of a microsecond that each
-- takes to come in (of up to 256 functions at once, on x86-64); @haskell_calls@ and @capability_wait_ns@ are of workers that help with a Haskell loop.
--
-- Cost: a walk over all threads for each counter.
--
-- @since 0.1.0
statistics :: IO [(String, Word64)]
statistics = do
  count <- c_stats_count
  mapM one [0 .. count - 1]
  where one i = (,) <$> (c_stats_name i >>= peekCString) <*> (fromIntegral <$> c_stats_value i)

-- | Counters begin at 0 again, but for the one that is a maximum (@deepest_queue@).
--
-- @since 0.1.0
resetStatistics :: IO ()
resetStatistics = c_stats_reset
