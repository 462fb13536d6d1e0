-- | What the demos share: actions timed in turn, a table, and a check that ends the program.
module Demo
  ( Timed (..)
  , inTurn
  , timed
  , quantile
  , record
  , micro
  , table
  , check
  , near
  , beside
  , allocate
  ) where

import Control.Concurrent (forkIO, killThread)
import Control.Exception (evaluate)
import Control.Monad (forM_, forever, unless, void)
import Data.IORef (IORef, readIORef)
import qualified Data.IntMap.Strict as IntMap
import Data.List (sort, transpose)
import GHC.Clock (getMonotonicTimeNSec)
import System.Environment (lookupEnv)
import System.Exit (die)
import Text.Printf (printf)

-- | An action, its name in records, and the number of its operations.
data Timed = Timed String Int (IO ())

-- | The median time of each action in microseconds. The actions run in turn, so that changes of the machine
-- affect all of them alike. If @DEMO_SAMPLES@ names a file, all samples go there: a line for each action, in
-- nanoseconds an operation.
--
-- The loop is tail recursive: a safe call walks its thread's stack, and a deep stack would make the action look
-- slower.
inTurn :: Int -> [Timed] -> IO [Double]
inTurn runs actions = do
  samples <- transpose . reverse <$> collect runs []
  mapM_ keep (zip actions samples)
  pure (map (quantile 0.5) samples)
  where
    collect :: Int -> [[Double]] -> IO [[Double]]
    collect 0 rows = pure rows
    collect n rows = mapM (\(Timed _ _ action) -> timed action) actions >>= \row -> collect (n - 1) (row : rows)
    keep (Timed name operations _, times) = record name (map (* (1000 / fromIntegral operations)) times)

-- | In microseconds.
timed :: IO () -> IO Double
timed action = do
  before <- getMonotonicTimeNSec
  action
  after <- getMonotonicTimeNSec
  pure (fromIntegral (after - before) / 1000)

-- | The sample at this fraction of all sorted samples: 0.5 gives the median.
quantile :: Double -> [Double] -> Double
quantile part times = sort times !! min (length times - 1) (floor (part * fromIntegral (length times)))

-- | Appends a line of samples in nanoseconds to the file that @DEMO_SAMPLES@ names.
record :: String -> [Double] -> IO ()
record name samples = lookupEnv "DEMO_SAMPLES" >>= \file -> case file of
  Nothing -> pure ()
  Just path -> appendFile path (name ++ ": " ++ unwords (map (printf "%.3f") samples) ++ "\n")

micro :: Double -> String
micro = printf "%.2f"

-- | Right-aligned columns, as wide as their longest entry.
table :: [[String]] -> IO ()
table rows = forM_ rows (putStrLn . unwords . zipWith pad widths)
  where
    widths = map (maximum . map length) (transpose rows)
    pad width text = replicate (width + 1 - length text) ' ' ++ text

check :: String -> Bool -> IO ()
check what holds = unless holds (die ("wrong: " ++ what))

-- | Equal but for the last digits, which depend on the order of additions.
near :: Double -> Double -> Bool
near a b = abs (a - b) <= 1e-9 * (1 + abs a + abs b)

-- | Repeats the first action in its own thread while the second one runs.
beside :: IO () -> IO a -> IO a
beside load action = do
  thread <- forkIO (forever load)
  result <- action
  killThread thread
  pure result

-- | Allocates a size that the compiler does not know, so that it cannot share the result.
allocate :: IORef Int -> IO ()
allocate size = do
  n <- readIORef size
  void (evaluate (IntMap.size (IntMap.fromList [(i, i) | i <- [1 .. n]])))
