-- | Loops that helpers take part in, for tests of what helpers do; and what bodies wait for.
module Properties.Helped (isHelped, newMeeting, untilM, waitsForEver, collectsBeside) where

import Control.Concurrent
import Control.Monad
import Data.IORef
import GHC.Conc (BlockReason (..), ThreadStatus (..), threadStatus)
import GHC.OpenMP.Loop
import System.Mem (performMajorGC)
import System.Mem.Weak (Weak, deRefWeak)
import Test.Tasty.HUnit ((@?=))

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

-- | Tells how to find its thread, without keeping it alive, and waits for what nothing else knows.
waitsForEver :: MVar (Weak ThreadId) -> IO ()
waitsForEver told = do
  never <- newEmptyMVar
  myThreadId >>= mkWeakThreadId >>= putMVar told
  takeMVar never

-- | Collects when that thread is blocked. It must still be blocked afterwards.
collectsBeside :: MVar (Weak ThreadId) -> IO ()
collectsBeside told = do
  other <- takeMVar told
  let status = deRefWeak other >>= mapM threadStatus
      blocked = Just (ThreadBlocked BlockedOnMVar)
  untilM ((/= Just ThreadRunning) <$> status)
  replicateM_ 2 (performMajorGC >> yield)
  status >>= (@?= blocked)
