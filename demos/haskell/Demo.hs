-- | What the demos share: times in turn, a table, and a check that ends the program.
module Demo
  ( inTurn
  , micro
  , table
  , check
  , near
  ) where

import Control.Monad (forM_, unless)
import Data.List (sort, transpose)
import GHC.Clock (getMonotonicTimeNSec)
import System.Exit (die)
import Text.Printf (printf)

-- | The median time of each action in microseconds; they are run in turn, so that they see the same
-- machine.
--
-- The loop is tail recursive: a safe call walks the stack of its thread, and a deep one is not the
-- action's.
inTurn :: Int -> [IO ()] -> IO [Double]
inTurn runs actions = map median . transpose <$> collect runs []
  where
    collect :: Int -> [[Double]] -> IO [[Double]]
    collect 0 rows = pure rows
    collect n rows = mapM once actions >>= \row -> collect (n - 1) (row : rows)
    median xs = sort xs !! (length xs `quot` 2)
    once :: IO () -> IO Double
    once action = do
      before <- getMonotonicTimeNSec
      action
      after <- getMonotonicTimeNSec
      pure (fromIntegral (after - before) / 1000)

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
