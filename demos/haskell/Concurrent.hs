-- | A Haskell thread computes while a region of C code runs: neither waits for the other.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (void)
import Demo
import GHC.Clock (getMonotonicTimeNSec)
import Text.Printf (printf)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double

haskellSum :: Int -> Double
haskellSum n = go 0 0
  where go i s | i < n = let s' = s + sin (fromIntegral i * 0.001) in s' `seq` go (i + 1) s'
               | otherwise = s :: Double

data Span = Span { begin :: Double, end :: Double }

spanned :: IO a -> IO (a, Span)
spanned action = do
  before <- getMonotonicTimeNSec
  x <- action
  after <- getMonotonicTimeNSec
  pure (x, Span (fromIntegral before / 1e6) (fromIntegral after / 1e6))

main :: IO ()
main = do
  expected <- c_sum cCount
  haskell <- newEmptyMVar
  c <- newEmptyMVar
  void (forkIO (spanned (evaluate (haskellSum haskellCount)) >>= putMVar haskell))
  void (forkIO (spanned (c_parallel_sum cCount) >>= putMVar c))
  (h, hSpan) <- takeMVar haskell
  (s, sSpan) <- takeMVar c
  check "Haskell's sum" (near h (haskellSum haskellCount))
  check "C's sum" (near s expected)
  let overlap = min (end hSpan) (end sSpan) - max (begin hSpan) (begin sSpan)
  printf "Haskell %.1f ms, region %.1f ms, both at the same time for %.1f ms\n"
    (end hSpan - begin hSpan) (end sSpan - begin sSpan) overlap
  check "they ran one after the other" (overlap > 0)
  where haskellCount = 1000000
        cCount = 4000000
