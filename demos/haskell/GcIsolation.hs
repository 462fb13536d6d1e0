-- | Regions of C code while other Haskell threads allocate, and while the heap is collected: how long
-- each takes.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import qualified Data.IntMap.Strict as IntMap
import Data.IORef
import Data.List (sort)
import Demo
import GHC.Clock (getMonotonicTimeNSec)
import System.Mem (performMajorGC)
import Text.Printf (printf)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double

regionTimes :: Double -> IO [Double]
regionTimes expected = replicateM 300 $ do
  before <- getMonotonicTimeNSec
  s <- c_parallel_sum count
  after <- getMonotonicTimeNSec
  check "the sum" (near s expected)
  pure (fromIntegral (after - before) / 1000)

count :: Int
count = 30000

main :: IO ()
main = do
  expected <- c_sum count
  let kept = IntMap.fromList [(i, show i) | i <- [1 .. 50000 :: Int]]
  _ <- evaluate (sum (map length (IntMap.elems kept)))
  alone <- regionTimes expected
  size <- newIORef 2000
  allocating <- beside (allocate size) (regionTimes expected)
  collecting <- beside (performMajorGC >> threadDelay 2000) (regionTimes expected)
  record "region, alone" (map (* 1000) alone)
  record "region, beside allocation" (map (* 1000) allocating)
  record "region, beside major collections" (map (* 1000) collecting)
  table (["regions of about 150 us", "median us", "p99 us", "longest us"] :
    [ name : map (printf "%.0f") [at 0.5 xs, at 0.99 xs, maximum xs]
    | (name, xs) <- [ ("alone", alone), ("beside allocation", allocating)
                    , ("beside major collections", collecting) ] ])
  check "the heap was kept" (IntMap.size kept == 50000)
  where at q xs = sort xs !! floor (q * fromIntegral (length xs) :: Double) :: Double
