{-# LANGUAGE ForeignFunctionInterface #-}
-- | A Haskell program that calls OpenMP code in a C library.  The library path decides which
-- runtime serves the regions.  With ghc-openmp, that is the program's own pool of Capabilities,
-- and Haskell threads run meanwhile.
module Main (main) where

import Control.Concurrent
import Control.Monad
import Foreign.C.Types

foreign import ccall safe "demo_pi" cPi :: CLong -> IO CDouble
foreign import ccall unsafe "demo_threads" cThreads :: IO CInt

main :: IO ()
main = do
  n <- getNumCapabilities
  results <- forM [1 .. 4 :: Int] $ \_ -> do
    box <- newEmptyMVar
    _ <- forkIO (cPi 4000000 >>= putMVar box)
    pure box
  values <- mapM takeMVar results
  threads <- cThreads
  let right = all (\v -> abs (v - pi) < 1e-9) values
  putStrLn ("Haskell program, " ++ show n ++ " Capabilities: " ++ show (length values)
            ++ " Haskell threads each ran a region of " ++ show threads ++ ", "
            ++ (if right then "right" else "WRONG"))
