-- | A Haskell program that calls OpenMP code through safe foreign calls, as any program does that knows nothing of the
-- package: whose OpenMP that is, the loader says. Regions with one thread and with all; from how many elements on a
-- region pays; tasks; regions beside threads that allocate, and beside collections.
--
-- usage: FromHaskell THREADS     prints "row: nanoseconds..." lines
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.IORef
import qualified Data.IntMap.Strict as IntMap
import Data.List (intercalate, transpose)
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import GHC.Clock (getMonotonicTimeNSec)
import System.Environment (getArgs)
import System.Exit (die)
import System.IO (hFlush, stdout)
import System.Mem (performMajorGC)
import Text.Printf (printf)
import Text.Read (readMaybe)

foreign import ccall unsafe "regions_sum" c_sum :: Int -> IO Double
foreign import ccall safe "regions_parallel_sum" c_parallel_sum :: Int -> Int -> IO Double
foreign import ccall safe "regions_tasks" c_tasks :: Ptr Double -> Int -> Int -> IO ()

main :: IO ()
main = do
  arguments <- getArgs
  threads <- case mapM readMaybe arguments of
    Just [n] | n >= 1 -> pure n
    _ -> die "usage: FromHaskell THREADS"
  setNumCapabilities threads
  regions threads
  mapM_ (crossover threads) [50, 100, 200, 500, 1000, 5000, 100000]
  mapM_ (tasks threads) [100, 1000]
  collections threads

-- | Times in turn, so that all see the same machine.
inTurn :: Int -> [(String, IO ())] -> IO ()
inTurn runs actions = do
  samples <- replicateM runs (mapM (once . snd) actions)
  zipWithM_ row (map fst actions) (transpose samples)

once :: IO () -> IO Double
once action = do
  before <- getMonotonicTimeNSec
  action
  after <- getMonotonicTimeNSec
  pure (fromIntegral (after - before))

row :: String -> [Double] -> IO ()
row name samples = putStrLn (name ++ ": " ++ intercalate " " (map (printf "%.0f") samples)) >> hFlush stdout

-- | Sums in another order differ in their last digits.
right :: Double -> Double -> IO ()
right expected found = unless (abs (expected - found) <= 1e-9 * (1 + abs expected)) $
  die (printf "a sum is %g, expected %g" found expected)

regions :: Int -> IO ()
regions threads = do
  expected <- c_sum 1000000
  inTurn 15 [ (printf "1000000 sines, %d thread%s" n (if n > 1 then "s" else ""), c_parallel_sum n 1000000 >>= right expected)
            | n <- if threads == 1 then [1] else [1, threads] ]

crossover :: Int -> Int -> IO ()
crossover threads count = do
  expected <- c_sum count
  inTurn (if count > 10000 then 30 else 300)
    [ (printf "%d elements, sequential" count, c_sum count >>= right expected)
    , (printf "%d elements, region" count, c_parallel_sum threads count >>= right expected) ]

tasks :: Int -> Int -> IO ()
tasks threads count = allocaArray count $ \sums -> do
  expected <- mapM (\i -> c_sum (1000 + i `rem` 500)) [0 .. count - 1]
  inTurn 7 [(printf "%d tasks" count, c_tasks sums count threads)]
  found <- peekArray count sums
  unless (found == expected) (die "a task has left another sum")

collections :: Int -> IO ()
collections threads = do
  let kept = IntMap.fromList [(i, show i) | i <- [1 .. 50000 :: Int]]
  _ <- evaluate (sum (map length (IntMap.elems kept)))
  expected <- c_sum 30000
  size <- newIORef 2000
  let region = replicateM 200 (once (c_parallel_sum threads 30000 >>= right expected))
  row "region, alone" =<< region
  row "region, beside allocation" =<< beside (allocate size) region
  row "region, beside major collections" =<< beside (performMajorGC >> threadDelay 2000) region
  unless (IntMap.size kept == 50000) (die "the heap was lost")

-- | The action again and again, in a thread of its own, while the other one runs.
beside :: IO () -> IO a -> IO a
beside load action = do
  thread <- forkIO (forever load)
  result <- action
  killThread thread
  pure result

-- | The size is not known when this is compiled, so it is done each time.
allocate :: IORef Int -> IO ()
allocate size = do
  n <- readIORef size
  void (evaluate (IntMap.size (IntMap.fromList [(i, i) | i <- [1 .. n]])))
