-- | The number of elements from which a region is faster than an unsafe call of the same C loop.
module Main (main) where

import Demo
import Text.Printf (printf)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double

main :: IO ()
main = do
  rows <- mapM row [50, 100, 200, 300, 500, 1000, 5000, 100000]
  table (["elements", "sequential us", "region us", "speed-up"] : rows)

row :: Int -> IO [String]
row count = do
  expected <- c_sum count
  let ok = check "the sum" . near expected
  times <- inTurn (if count > 10000 then 50 else 1000) 
    [ Timed (show count ++ " elements, sequential") 1 (c_sum count >>= ok)
    , Timed (show count ++ " elements, region") 1 (c_parallel_sum count >>= ok) ]
  let [a, b] = times
  pure [show count, micro a, micro b, printf "%.2f" (a / b)]
