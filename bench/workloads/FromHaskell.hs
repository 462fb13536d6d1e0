-- | A Haskell program that calls OpenMP code by safe foreign calls and does not use the package. The loader decides which
-- OpenMP runtime serves it. Rows: regions with one thread and with all; the number of elements from which a region is
-- faster; tasks; regions beside threads that allocate, and beside collections.
--
-- usage: FromHaskell THREADS     samples go to the file that DEMO_SAMPLES names
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.IORef
import qualified Data.IntMap.Strict as IntMap
import Demo
import Foreign.C.Types (CInt (..))
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import System.Environment (getArgs)
import System.Exit (die)
import System.Mem (performMajorGC)
import Text.Printf (printf)
import Text.Read (readMaybe)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double
foreign import ccall safe "kernels_task_sums" c_task_sums :: Ptr Double -> Int -> IO ()
foreign import ccall unsafe "omp_set_num_threads" c_set_threads :: CInt -> IO ()

main :: IO ()
main = do
  arguments <- getArgs
  threads <- case mapM readMaybe arguments of
    Just [n] | n >= 1 -> pure n
    _ -> die "usage: FromHaskell THREADS"
  setNumCapabilities threads
  regions threads
  mapM_ crossover [50, 100, 200, 500, 1000, 5000, 100000]
  mapM_ tasks [100, 1000]
  collections

right :: Double -> Double -> IO ()
right expected = check "the sum" . near expected

regions :: Int -> IO ()
regions threads = do
  expected <- c_sum 1000000
  let region n = c_set_threads (fromIntegral n) >> c_parallel_sum 1000000 >>= right expected
  void $ inTurn 15 [ Timed (printf "1000000 sines, %d thread%s" n (if n > 1 then "s" else "")) 1 (region n)
                   | n <- if threads == 1 then [1] else [1, threads] ]

crossover :: Int -> IO ()
crossover count = do
  expected <- c_sum count
  void $ inTurn (if count > 10000 then 30 else 300)
    [ Timed (printf "%d elements, sequential" count) 1 (c_sum count >>= right expected)
    , Timed (printf "%d elements, region" count) 1 (c_parallel_sum count >>= right expected) ]

tasks :: Int -> IO ()
tasks count = allocaArray count $ \sums -> do
  expected <- mapM (\i -> c_sum (1000 + i `rem` 500)) [0 .. count - 1]
  void (inTurn 7 [Timed (printf "%d tasks" count) 1 (c_task_sums sums count)])
  found <- peekArray count sums
  check "the tasks' sums" (found == expected)

collections :: IO ()
collections = do
  let kept = IntMap.fromList [(i, show i) | i <- [1 .. 50000 :: Int]]
  _ <- evaluate (sum (map length (IntMap.elems kept)))
  expected <- c_sum 30000
  size <- newIORef 2000
  let region name = void (inTurn 200 [Timed name 1 (c_parallel_sum 30000 >>= right expected)])
  region "region, alone"
  beside (allocate size) (region "region, beside allocation")
  beside (performMajorGC >> threadDelay 2000) (region "region, beside major collections")
  check "the heap was kept" (IntMap.size kept == 50000)
