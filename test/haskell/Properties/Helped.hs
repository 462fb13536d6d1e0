-- | Loops that helpers take part in, for tests of what helpers do; and what bodies wait for.
module Properties.Helped (isHelped, newMeeting, untilM) where

import Control.Concurrent
import Control.Monad
import Data.IORef
import GHC.OpenMP.Loop

-- | A loop that tells each body whether a helper runs it. Returns whether a helper took part. The caller's bodies
-- give a helper some time to come, because the runtime promises none. With one Capability there can be none.
isHelped :: (Bool -> IO ()) -> IO Bool
isHelped body = do
  capabilities <- getNumCapabilities
  caller <- myThreadId
  came <- newIORef (capabilities == 1)
  let wait n = readIORef came >>= \there -> unless (there || n == (0 :: Int)) (yield >> wait (n - 1))
  parallelForWith (Dynamic 1) 0 4 $ \_ -> do
    helps <- (/= caller) <$> myThreadId
    if helps then writeIORef came True else wait 1000
    body helps
  readIORef came

-- | Waits until so many have called it.
newMeeting :: Int -> IO (IO ())
newMeeting n = do
  came <- newIORef (0 :: Int)
  everybody <- newEmptyMVar
  pure $ do
    k <- atomicModifyIORef' came (\c -> (c + 1, c + 1))
    if k == n then putMVar everybody () else readMVar everybody

untilM :: IO Bool -> IO ()
untilM condition = condition >>= \holds -> unless holds (yield >> untilM condition)
