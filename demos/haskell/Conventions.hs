-- | The cost of a call by each convention: a primitive in Cmm, unsafe, safe, and safe in batches.
module Main (main) where

import Control.Monad (replicateM_)
import qualified Data.Vector.Storable as V
import Demo
import Foreign.Ptr (FunPtr)
import GHC.OpenMP.Batch
import GHC.OpenMP.Prim (capabilityNumber)
import Text.Printf (printf)

foreign import ccall safe "kernels_nothing" c_safe :: Double -> IO Double
foreign import ccall unsafe "kernels_nothing" c_unsafe :: Double -> IO Double
foreign import ccall "&kernels_nothing" p_nothing :: FunPtr (Double -> IO Double)

main :: IO ()
main = do
  [prim, unsafe, safe] <- inTurn 200
    [ Timed "Cmm primitive" 1000 (replicateM_ 1000 (capabilityNumber >>= check "the Capability" . (>= 0)))
    , Timed "unsafe call" 1000 (replicateM_ 1000 (c_unsafe 1 >>= check "the result" . (== 1)))
    , Timed "safe call" 1000 (replicateM_ 1000 (c_safe 1 >>= check "the result" . (== 1))) ]
  printf "a call, ns: Cmm primitive %.1f, unsafe %.1f, safe %.1f\n" prim unsafe safe
  rows <- mapM row [1, 2, 5, 10, 20, 50, 100, 1000]
  table (["batch", "ns a call"] : rows)

row :: Int -> IO [String]
row n = do
  let xs = V.enumFromN 1 n
  [t] <- inTurn 300
    [ Timed ("batch of " ++ show n) (n * (1000 `quot` n))
        (replicateM_ (1000 `quot` n) (batched p_nothing n (Each xs) >>= check "the results" . (== n) . V.length)) ]
  found <- batched p_nothing n (Each xs)
  check "the results" (found == xs)
  pure [show n, printf "%.2f" (t * 1000 / fromIntegral (n * (1000 `quot` n)))]
