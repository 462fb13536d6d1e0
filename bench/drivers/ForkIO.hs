{-# LANGUAGE ForeignFunctionInterface #-}

-- | Workers are Haskell threads, one for each Capability.
module Main (main) where

import Control.Concurrent
import Control.Monad
import Foreign
import Foreign.C
import Harness

foreign export ccall driver_run :: CInt -> FunPtr Body -> IO ()

driver_run :: CInt -> FunPtr Body -> IO ()
driver_run workers body = do
  finished <- forM [0 .. workers - 1] $ \i -> do
    done <- newEmptyMVar
    _ <- forkOn (fromIntegral i) (call body i workers >> putMVar done ())
    pure done
  mapM_ takeMVar finished

main :: IO ()
main = harness
