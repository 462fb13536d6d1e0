-- | What the demos share: times in turn, a table, and a check that ends the program.
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

-- | An action with its name in records, and how many operations it is.
data Timed = Timed String Int (IO ())

-- | The median time of each action in microseconds; they are run in turn, so that they see the same
-- machine. All samples go to the file that @DEMO_SAMPLES@ names, if it does: a line for each action, in nanoseconds
-- an operation.
--
-- The loop is tail recursive: a safe call walks the stack of its thread, and a deep one is not the
-- action's.
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

-- | The sample below which this part of all lies: 0.5 gives the median.
quantile :: Double -> [Double] -> Double
quantile part times = sort times !! min (length times - 1) (floor (part * fromIntegral (length times)))

-- | A line of samples in nanoseconds, where @DEMO_SAMPLES@ says.
record :: String -> [Double] -> IO ()
record name samples = lookupEnv "DEMO_SAMPLES" >>= \file -> case file of
  Nothing -> pure ()
  Just path -> appendFile path (name ++ ": " ++ unwords (map (printf "%.3f") samples) ++ "\n")

micro :: Double -> String
micro = printf "%.2f"

-- | Columns to the right, as wide as their longest entry.
table :: [[String]] -> IO ()
table rows = forM_ rows (putStrLn . unwords . zipWith pad widths)
  where
    widths = map (maximum . map length) (transpose rows)
    pad width text = replicate (width + 1 - length text) ' ' ++ text

check :: String -> Bool -> IO ()
check what holds = unless holds (die ("wrong: " ++ what))

-- | Sums in another order differ in their last digits.
near :: Double -> Double -> Bool
near a b = abs (a - b) <= 1e-9 * (1 + abs a + abs b)

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
