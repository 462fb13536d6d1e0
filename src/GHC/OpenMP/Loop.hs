-- | Loops with Haskell bodies, on the OpenMP team: the calling thread and workers of the one pool
-- that also serves the program's C code.
--
-- For every function of this module:
--
-- * The calling thread takes part. Workers take part while Capabilities are free (@+RTS -N@). The
--   caller executes a loop alone if it gets no help. So a loop in a loop body works, and thousands
--   of threads may run loops at once.
-- * The first exception ends the loop, whether a body throws it or another thread throws it to the
--   caller ('System.Timeout.timeout', 'Control.Concurrent.killThread', the handler of a signal), and
--   whatever its type. No chunk begins any more, and the other bodies get 'TaskCancelled'. When all
--   have ended, the first exception is thrown in the caller. So a body that waits, or computes in
--   Haskell, delays it only while it cleans up. Nothing interrupts C code,
--   'Control.Exception.uninterruptibleMask', and loops that do not allocate.
-- * Bodies run in the caller's masking state. A body that waits for something that cannot happen
--   gets 'Control.Exception.BlockedIndefinitelyOnMVar' when no other body goes on that could end it, as with @async@.
-- * A body may do everything that 'IO' may: allocate, block, call C, @safe@ or @unsafe@. Bodies of
--   one loop run at the same time, and must synchronise their use of shared data.
-- * As many bodies are under way as there are workers. If all of them wait in Haskell, for each other or for something else, and
--   none ends for some milliseconds, others begin, as many as it takes: bodies may wait for each other. A body that is in a @safe@ call
--   keeps its place.
-- * Cost: some 0.1 µs for the loop, and a few nanoseconds for each chunk. A loop of many iterations
--   begins in the calling thread. Workers join when its first chunks have shown that it takes
--   longer than a few microseconds (20 µs, if they sleep and few such loops run). A loop of a few
--   iterations calls workers at once, because each iteration may be long; that takes up to a few
--   microseconds.
module GHC.OpenMP.Loop
  ( -- * Loops
    parallelFor
  , parallelForChunks
    -- * With a schedule
  , Schedule (..)
  , parallelForWith
  , parallelForChunksWith
    -- * Exceptions
  , TaskCancelled
  , LoopTooLong
  ) where

import GHC.OpenMP.Loop.Ended (TaskCancelled)
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Refusal (LoopTooLong)
import GHC.OpenMP.Schedule
import GHC.Stack (HasCallStack, withFrozenCallStack)

-- $setup
-- >>> import Data.IORef
-- >>> import Control.Exception

-- | @parallelFor from to body@ runs @body i@ once for each @i@ with @from <= i < to@, in any order
-- and in parallel.
--
-- >>> sum' <- newIORef (0 :: Int)
-- >>> parallelFor 1 101 (\i -> atomicModifyIORef' sum' (\s -> (s + i, ())))
-- >>> readIORef sum'
-- 5050
--
-- >>> try (parallelFor 0 10 (\i -> if i == 3 then throwIO Overflow else pure ())) :: IO (Either ArithException ())
-- Left arithmetic overflow
--
-- @since 0.1.0
parallelFor :: HasCallStack => Int -> Int -> (Int -> IO ()) -> IO ()
parallelFor = withFrozenCallStack (parallelForWith Auto)
{-# INLINE parallelFor #-}

-- | 'parallelFor' with a schedule.
--
-- @since 0.1.0
parallelForWith :: HasCallStack => Schedule -> Int -> Int -> (Int -> IO ()) -> IO ()
parallelForWith schedule from to body
  | to <= from = pure ()
  | otherwise = execute (withFrozenCallStack (shapeOf schedule from to)) (\_ _ -> pure (drawIterations (\i -> body (from + i)), ()))
{-# INLINE parallelForWith #-}

-- | @parallelForChunks from to body@ runs @body first end@ for ranges @first <= i < end@ that
-- together make up @from <= i < to@. For bodies that prepare something for many iterations, or that
-- are a loop in C.
--
-- >>> parallelForChunks 0 0 (\_ _ -> error "no iteration, no chunk")
--
-- @since 0.1.0
parallelForChunks :: HasCallStack => Int -> Int -> (Int -> Int -> IO ()) -> IO ()
parallelForChunks = withFrozenCallStack (parallelForChunksWith Auto)
{-# INLINE parallelForChunks #-}

-- | 'parallelForChunks' with a schedule. If the schedule has a size, all chunks but the last have
-- that size.
--
-- @since 0.1.0
parallelForChunksWith :: HasCallStack => Schedule -> Int -> Int -> (Int -> Int -> IO ()) -> IO ()
parallelForChunksWith schedule from to chunk
  | to <= from = pure ()
  | otherwise = execute (withFrozenCallStack (shapeOf schedule from to)) $ \_ _ ->
      pure (drawChunks (\first end -> chunk (from + first) (from + end)), ())
{-# INLINE parallelForChunksWith #-}
