-- | A Haskell program without the package. Its regions run beside collections of its heap, and its collections run beside the
-- runtime's idle threads. The loader decides which OpenMP runtime serves it.
--
-- usage: Collections WORKERS [KEY=NUMBER]... +RTS -NWORKERS     (see demos/haskell/Collecting.hs); rows go to the file DEMO_SAMPLES
module Main (main) where

import Collecting
import Control.Concurrent
import Control.Monad
import Demo (check, quantile, record)
import Foreign.C.Types (CDouble (..), CLong (..))
import Foreign.Ptr (FunPtr, nullFunPtr)
import System.Environment (getArgs)
import System.Exit (die)

foreign import ccall unsafe "collections_end_threads" c_end_threads :: IO Int
foreign import ccall unsafe "collections_os_threads" c_os_threads :: IO Int
foreign import ccall "wrapper" newValue :: (CLong -> IO CDouble) -> IO (FunPtr (CLong -> IO CDouble))

main :: IO ()
main = do
  arguments <- getArgs
  capabilities <- getNumCapabilities
  case arguments of
    workers : rest | workers == show capabilities -> settingsOf rest >>= \s -> (if s "pauses" > 0 then pauses else whileCollecting) s
    _ -> die "usage: Collections WORKERS [KEY=NUMBER]... +RTS -NWORKERS"

whileCollecting :: Settings -> IO ()
whileCollecting settings = do
  pieces <- workload
  value <- newValue valueOf
  measure settings
    [ Work "region" (timedRegions 1 pieces nullFunPtr)
    , Work "region of 20 in a call" (timedRegions 20 pieces nullFunPtr)
    , Work "region with callbacks" (timedRegions 1 pieces value) ]

-- | Times of collections without the runtime's threads, and with threads that are idle or have just left a region, five of each in
-- turn. If the program never starts OpenMP, the rows show how much two equal halves differ.
pauses :: Settings -> IO ()
pauses settings = do
  pieces <- workload
  let region = void (timedRegions 1 pieces nullFunPtr)
      endThreads = c_end_threads >>= check "the runtime's threads end" . (== 0)
      (one, other) = case settings "pool" of
        0 -> (half (pure ()) (pure ()), half (pure ()) (pure ()))
        1 -> (half endThreads (pure ()), half region (pure ()))
        _ -> (half (pure ()) (region >> endThreads), half (pure ()) region)
  withLive settings $ do
    _ <- collections 5 (pure ()) -- afterwards the heap has the blocks that it needs
    halves <- replicateM ((settings "pauses" + 4) `quot` 5) ((,) <$> one <*> other)
    let (without, with) = (concatMap (fst . fst) halves, concatMap (fst . snd) halves)
    report "one half" without
    report "other half" with
    forM_ [("p50", 0.5), ("p99", 0.99)] $ \(what, part) ->
      record ("other / one half, " ++ what) [quantile part with / quantile part without]
    workers <- getNumCapabilities
    check "the other half's threads" (settings "pool" == 0 || workers == 1 || any (\(a, b) -> snd b > snd a) halves)

-- | Five collections, each after an action, and the number of system threads afterwards.
half :: IO () -> IO () -> IO ([Double], Int)
half first each = do
  first
  threadDelay 20000
  (,) <$> collections 5 each <*> c_os_threads
