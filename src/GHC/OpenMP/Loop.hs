-- | Loops with Haskell bodies, on the OpenMP team: the calling thread and workers of the one pool
-- that also serves the program's C code.
--
-- What holds for every function here:
--
-- * The calling thread takes part. Others do while Capabilities are free (@+RTS -N@): a loop that
--   gets no help is executed by its caller alone, so a loop in a loop body works, and thousands of
--   threads may run loops at once.
-- * The first exception of a body makes everybody stop at the next chunk; when all are quiet it is
--   thrown in the caller. 'System.Timeout.timeout' and 'Control.Concurrent.killThread' on the caller
--   do the same, and what they throw is thrown to the bodies too, so that those that wait end.
-- * Bodies run in the caller's masking state. One that waits for what cannot come gets
--   'Control.Exception.BlockedIndefinitelyOnMVar', as anywhere.
-- * A body may do whatever 'IO' may: allocate, block, call C, @safe@ or @unsafe@. Bodies of one loop
--   run at the same time: what they share they must synchronise.
-- * Cost: some 0.1 µs for the loop, and a few nanoseconds for each chunk. A loop of many iterations
--   begins in the calling thread, and workers join once its first chunks have shown that it takes
--   longer than some microseconds (20 µs, if they sleep and few such loops run). A loop of a few iterations
--   asks for help at once, which takes up to some microseconds: each iteration may be long.
module GHC.OpenMP.Loop
  ( -- * Loops
    parallelFor
  , parallelForChunks
    -- * With a schedule
  , Schedule (..)
  , parallelForWith
  , parallelForChunksWith
  ) where

import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Schedule

-- $setup
-- >>> import Data.IORef
-- >>> import Control.Exception

-- | @parallelFor from to body@ runs @body i@ once for each @i@ with @from <= i < to@, in any order and
-- at the same time.
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
parallelFor :: Int -> Int -> (Int -> IO ()) -> IO ()
parallelFor = parallelForWith Auto
{-# INLINE parallelFor #-}

-- | 'parallelFor' with a schedule.
--
-- @since 0.1.0
parallelForWith :: Schedule -> Int -> Int -> (Int -> IO ()) -> IO ()
parallelForWith schedule from to body = parallelForChunksWith schedule from to $ \first end ->
  let go i | i < end = body i >> go (i + 1)
           | otherwise = pure ()
  in go first
{-# INLINE parallelForWith #-}

-- | @parallelForChunks from to body@ runs @body first end@ for ranges @first <= i < end@ that together
-- are @from <= i < to@: for bodies that prepare something which serves many iterations, or that are a
-- loop in C.
--
-- >>> parallelForChunks 0 0 (\_ _ -> error "no iteration, no chunk")
--
-- @since 0.1.0
parallelForChunks :: Int -> Int -> (Int -> Int -> IO ()) -> IO ()
parallelForChunks = parallelForChunksWith Auto
{-# INLINE parallelForChunks #-}

-- | 'parallelForChunks' with a schedule. Chunks have the schedule's size where it has one, but for the
-- last.
--
-- @since 0.1.0
parallelForChunksWith :: Schedule -> Int -> Int -> (Int -> Int -> IO ()) -> IO ()
parallelForChunksWith schedule from to chunk
  | to <= from = pure ()
  | otherwise = execute (shapeOf schedule from to) $ \_ _ ->
      pure (drawChunks (\first end -> chunk (from + first) (from + end)), ())
{-# INLINE parallelForChunksWith #-}
