-- | Regions in C, a loop in Haskell, buffered output, and a program that ends while a loop runs.
module Main (main) where

import Control.Concurrent
import GHC.OpenMP
import qualified GHC.OpenMP.Runtime as Runtime

foreign import ccall safe "links_region" c_region :: IO Int

main :: IO ()
main = do
  Runtime.resetStatistics
  size <- c_region
  counted <- lookup "regions" <$> Runtime.statistics
  putStrLn ("a region of " ++ show size)
  reached <- Runtime.regions
  putStrLn ("regions reach " ++ show reached ++ maybe "" ((", which counted " ++) . show) counted)
  total <- parallelReduce (+) 0 0 1001 pure
  putStrLn ("a sum of " ++ show (total :: Int))
  begun <- newEmptyMVar
  _ <- forkIO (putMVar begun () >> parallelFor 0 1000000000000 (\_ -> pure ()))
  takeMVar begun
