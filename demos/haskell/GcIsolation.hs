-- | How long regions of C code, regions that call Haskell, and Haskell loops take while other Haskell threads allocate, and during
-- garbage collections. C measures the times of its own regions, which do not wait for a collection. The Haskell code after a region
-- does wait, and so do calls of Haskell from a region and loops with Haskell bodies.
--
-- usage: gc-isolation [KEY=NUMBER]...     (see Collecting)
module Main (main) where

import Collecting
import Demo (check, timed)
import Foreign.Ptr (nullFunPtr)
import GHC.OpenMP
import GHC.OpenMP.Callback
import System.Environment (getArgs)

foreign import ccall unsafe "collections_iteration" c_iteration :: Int -> Int -> IO Double

main :: IO ()
main = do
  settings <- getArgs >>= settingsOf
  pieces <- workload
  withCallback valueOf $ \value -> measure settings
    [ Work "region" (timedRegions 1 pieces nullFunPtr)
    , Work "region with callbacks" (timedRegions 1 pieces value)
    , Work "Haskell loop" (loop pieces) ]

loop :: (Int, Int, Double) -> IO [Double]
loop (iterations, steps, expected) =
  pure <$> timed (parallelReduce (+) 0 0 iterations (`c_iteration` steps) >>= check "the loop's sum" . (== expected))
