-- | The same sum by the compiler's own loop, by Haskell threads, by 'parallelReduce', and by OpenMP in C.
-- Compile with @-fllvm@ to see how much of the difference is the code generator's.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Demo
import GHC.OpenMP

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double

haskellSum :: Int -> Int -> Double
haskellSum from to = go from 0
  where go i s | i < to = go (i + 1) $! s + sin (fromIntegral i * 0.001)
               | otherwise = s :: Double

forked :: Int -> IO Double
forked count = do
  n <- getNumCapabilities
  boxes <- forM [0 .. n - 1] $ \k -> do
    box <- newEmptyMVar
    _ <- forkOn k (evaluate (haskellSum (count * k `quot` n) (count * (k + 1) `quot` n)) >>= putMVar box)
    pure box
  sum <$> mapM takeMVar boxes

main :: IO ()
main = do
  rows <- forM [1000, 10000, 100000, 1000000] $ \count -> do
    expected <- c_sum count
    let ok = check "the sum" . near expected
    times <- inTurn (max 5 (min 200 (3000000 `quot` count)))
      [ evaluate (haskellSum 0 count) >>= ok
      , c_sum count >>= ok
      , forked count >>= ok
      , parallelReduce (+) 0 0 count (\i -> pure (sin (fromIntegral i * 0.001))) >>= ok
      , c_parallel_sum count >>= ok ]
    pure (show count : map micro times)
  table (["elements, us", "Haskell", "C", "forkOn", "parallelReduce", "OpenMP"] : rows)
