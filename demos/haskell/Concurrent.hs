-- | A Haskell thread computes while a region of C code runs: neither waits for the other.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (void)
import Data.List (foldl')
import Demo
import Text.Printf (printf)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double

-- | The sines of @count@ numbers, added up from the first one on.
haskellSum :: Int -> Int -> Double
haskellSum from count = go from 0
  where go i s | i < from + count = let s' = s + sin (fromIntegral i * 0.001) in s' `seq` go (i + 1) s'
               | otherwise = s :: Double

-- | Computes one piece after another until the region ends; returns their number and their sum.
whileRunning :: MVar a -> Int -> Double -> IO (Int, Double)
whileRunning over pieces total = do
  running <- isEmptyMVar over
  if running
    then evaluate (total + haskellSum (pieces * piece) piece) >>= whileRunning over (pieces + 1)
    else pure (pieces, total)

piece :: Int
piece = 1000

main :: IO ()
main = do
  expected <- c_sum cCount
  over <- newEmptyMVar
  begun <- newEmptyMVar
  void . forkIO $ do
    putMVar begun ()
    c_parallel_sum cCount >>= putMVar over
  takeMVar begun
  (pieces, haskell) <- whileRunning over 0 0
  s <- takeMVar over
  check "Haskell's sum" (haskell == foldl' (\total i -> total + haskellSum (i * piece) piece) 0 [0 .. pieces - 1])
  check "C's sum" (near s expected)
  printf "while one region of C code ran, a Haskell thread computed %d sines\n" (pieces * piece)
  check "Haskell stood still while C ran" (pieces > 0)
  where cCount = 4000000
