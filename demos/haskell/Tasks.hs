-- | OpenMP tasks in C, and Haskell tasks, on the same workers.
module Main (main) where

import Demo
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import GHC.OpenMP
import qualified GHC.OpenMP.Settings as Settings
import GHC.OpenMP.Task
import Text.Printf (printf)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_task_sums" c_task_sums :: Ptr Double -> Int -> IO ()

fib :: TaskGroup -> Int -> IO Int
fib group n
  | n < 2 = pure n
  | otherwise = uncurry (+) <$> both group (fib group (n - 1)) (fib group (n - 2))

plainFib :: Int -> Int
plainFib n = if n < 2 then n else plainFib (n - 1) + plainFib (n - 2)

main :: IO ()
main = do
  rows <- mapM row [100, 1000, 5000]
  table (["C tasks", "one thread ms", "all ms", "speed-up"] : rows)
  let haskell = taskGroup (\group -> fib group 22) >>= check "fib" . (== plainFib 22)
  [one, more] <- inTurn 15
    [ Timed "Haskell task, one worker" 28656 (Settings.withNumThreads 1 haskell)
    , Timed "Haskell task, all workers" 28656 haskell ]
  printf "Haskell: fib 22 with a task for each call: %.0f ns a task with one worker, %.0f with all\n"
    (each one) (each more)
  where each t = t * 1000 / 28656 :: Double

row :: Int -> IO [String]
row count = allocaArray count $ \sums -> do
  expected <- mapM (\i -> c_sum (1000 + i `rem` 500)) [0 .. count - 1]
  let run = c_task_sums sums count
  times <- inTurn 7
    [ Timed (show count ++ " C tasks, one thread") 1 (Settings.withNumThreads 1 run)
    , Timed (show count ++ " C tasks, all threads") 1 run ]
  found <- peekArray count sums
  check "the tasks' sums" (found == expected)
  let [one, more] = times
  pure [show count, printf "%.2f" (one / 1000), printf "%.2f" (more / 1000), printf "%.2f" (one / more)]
