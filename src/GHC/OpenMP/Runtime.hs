-- | Which runtime this is, and what it runs on.
module GHC.OpenMP.Runtime
  ( version
  , Regions (..)
  , regions
  , Substrate (..)
  , substrate
  , workers
  ) where

import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CUInt (..))
import Foreign.Ptr (nullPtr)

foreign import ccall unsafe "ghcomp_version" c_version :: IO CString
foreign import ccall unsafe "ghcomp_runtime_other" c_other :: IO CString
foreign import ccall unsafe "ghcomp_substrate_name" c_substrate :: IO CString
foreign import ccall unsafe "ghcomp_substrate_reason" c_reason :: IO CString
foreign import ccall unsafe "ghcomp_workers" c_workers :: IO CUInt

-- | The runtime's version, as @"0.1.0"@.
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
