-- | A Haskell library that a C program loads.  Several threads sleep and compute, which
-- needs a complete RTS with its timer and I/O manager.
module Plugin where

import Control.Concurrent
import Control.Monad
import Foreign.C.Types

foreign export ccall plugin_sum :: CLong -> IO CLong

plugin_sum :: CLong -> IO CLong
plugin_sum n = do
  answers <- forM [1 .. 4] $ \k -> do
    answer <- newEmptyMVar
    _ <- forkIO (threadDelay 1000 >> (putMVar answer $! sum [k, k + 4 .. n]))
    pure answer
  sum <$> mapM takeMVar answers
