-- | A region of C code through a safe foreign call, with one thread and more.
module Main (main) where

import Control.Concurrent (getNumCapabilities)
import Demo
import GHC.OpenMP
import qualified GHC.OpenMP.Settings as Settings
import Text.Printf (printf)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double
foreign import ccall safe "kernels_nothing" c_safe :: Double -> IO Double
foreign import ccall unsafe "kernels_nothing" c_unsafe :: Double -> IO Double

main :: IO ()
main = do
  capabilities <- getNumCapabilities
  expected <- c_sum count
  times@(alone : _) <- inTurn 15 [ Timed (show n ++ " threads") 1 (Settings.withNumThreads n (c_parallel_sum count >>= check "the sum" . near expected))
                                 | n <- [1 .. capabilities] ]
  table (["threads", "ms", "speed-up"] :
    [ [show n, printf "%.2f" (t / 1000), printf "%.2f" (alone / t)]
    | (n, t) <- zip [1 .. capabilities] times ])
  [safe, unsafe] <- inTurn 200
    [Timed "safe call" 1000 (repeated (c_safe 1)), Timed "unsafe call" 1000 (repeated (c_unsafe 1))]
  printf "an empty call: safe %.1f ns, unsafe %.1f ns\n" safe unsafe
  where
    count = 1000000 :: Int
    repeated call = mapM_ (const call) [1 .. 1000 :: Int]
