-- | Many Haskell threads call hmatrix over OpenBLAS with OpenMP: the library's regions run on the
-- program's own pool.
module Main (main) where

import Control.Concurrent
import Control.Monad
import Demo
import GHC.OpenMP
import qualified GHC.OpenMP.Runtime as Runtime
import Numeric.LinearAlgebra (Matrix, build, scale, sumElements)
import qualified Numeric.LinearAlgebra as Matrix
import Text.Printf (printf)

main :: IO ()
main = do
  let product' = a Matrix.<> b
  boxes <- forM [1 .. 16 :: Int] $ \k -> do
    box <- newEmptyMVar
    _ <- forkIO (putMVar box $! sumElements (scale (fromIntegral k) a Matrix.<> b))
    pure box
  sums <- mapM takeMVar boxes
  check "the products" (all (\(k, s) -> abs (s - fromIntegral k * sumElements product') < 1e-6)
    (zip [1 :: Int ..] sums))
  where' <- Runtime.regions
  n <- Runtime.workers
  status <- readFile "/proc/self/status"
  let threads = unwords (concat [drop 1 (words l) | l <- lines status, take 8 l == "Threads:"])
  printf "OpenBLAS's regions run on %s; %d worker(s) in the pool, %s OS threads in all\n"
    (show where') n threads
  check "the regions ran elsewhere" (where' == Runtime.HaskellPool && n >= 1)

a, b :: Matrix Double
a = build (400, 400) (\i j -> sin (i * 3 + j))
b = build (400, 400) (\i j -> cos (i - 2 * j))
