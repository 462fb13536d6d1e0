-- | A Haskell program without the package whose regions run beside collections of its heap, and whose collections run beside the
-- runtime's idle threads: whose OpenMP that is, the loader says.
--
-- usage: Collections WORKERS [KEY=NUMBER]... +RTS -NWORKERS     (see demos/haskell/Collecting.hs); rows go where DEMO_SAMPLES says
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

-- | What collections take without the runtime's threads, and with them, in turns of five: idle ones, or ones that a region has just
-- left. Where the program never starts OpenMP, this shows by how much two halves differ that are the same.
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
    _ <- collections 5 (pure ()) -- until the heap has the blocks that it needs
    halves <- replicateM ((settings "pauses" + 4) `quot` 5) ((,) <$> one <*> other)
    let (without, with) = (concatMap (fst . fst) halves, concatMap (fst . snd) halves)
    report "one half" without
    report "other half" with
    forM_ [("p50", 0.5), ("p99", 0.99)] $ \(what, part) ->
      record ("other / one half, " ++ what) [quantile part with / quantile part without]
    workers <- getNumCapabilities
    check "the other half's threads" (settings "pool" == 0 || workers == 1 || any (\(a, b) -> snd b > snd a) halves)

-- | Five collections, each after an action, and how many threads of the system there are then.
half :: IO () -> IO () -> IO ([Double], Int)
half first each = do
  first
  threadDelay 20000
  (,) <$> collections 5 each <*> c_os_threads
