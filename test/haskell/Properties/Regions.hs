{-# LANGUAGE CPP #-}

-- | Regions of C code run on the Capabilities of this program, with the settings of the Haskell side, from any
-- number of threads, on one pool; also regions in Haskell loops and loops in regions.
module Properties.Regions (tests) where

import Control.Concurrent
import Control.Monad
import Data.IORef
import Foreign.C.Types (CInt (..), CLong (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Marshal.Array (withArrayLen)
import Foreign.Ptr (Ptr)
import Foreign.Storable (peek, poke)
import GHC.OpenMP
import qualified GHC.OpenMP.Runtime as Runtime
import qualified GHC.OpenMP.Settings as Settings
import Properties.Helped
import Test.Tasty
import Test.Tasty.HUnit

foreign import ccall safe "regions_team_size" c_team_size :: IO CInt
foreign import ccall safe "regions_inner_size" c_inner_size :: IO CInt
foreign import ccall safe "regions_sum" c_sum :: Ptr Double -> CLong -> IO Double
foreign import ccall safe "regions_later" c_later :: CLong -> CLong -> Ptr CLong -> Ptr CLong -> IO ()
foreign import ccall unsafe "regions_rts_tasks" c_rts_tasks :: IO CInt
foreign import ccall safe "regions_pause" c_pause :: IO ()
foreign import ccall safe "regions_busy" c_busy :: CInt -> CLong -> Ptr CLong -> IO CInt

tests :: TestTree
tests = testGroup "regions"
  [ testCase "are this package's version" $ Runtime.version >>= (@?= VERSION_ghc_openmp)
  , testCase "reach this runtime" $ Runtime.regions >>= (@?= Runtime.HaskellPool)
  , testCase "have the team that was asked for" $ Settings.withNumThreads 3 c_team_size >>= (@?= 3)
  , testCase "the substrate is this program's RTS" $ Runtime.substrate >>= (@?= Runtime.Capabilities)
  , testCase "nested, where allowed" $ do
      Settings.withMaxActiveLevels 1 c_inner_size >>= (@?= 2)
      Settings.withMaxActiveLevels 2 c_inner_size >>= (@?= 4)
  , testCase "a region in a loop body" regionInLoop
  , testCase "are counted" counted
  , testCase "64 threads, one pool" onePool
  , testCase "200 threads with regions in loops, one pool" onePoolInLoops
  , testCase "tasks of C code in a loop body end with the loop" tasksInLoop
  , testCase "the RTS forgets helpers that end" helpersEnd
  , testCase "64 threads that say how many" sizesAsAsked
  ]

counted :: Assertion
counted = do
  Runtime.resetStatistics
  replicateM_ 5 (Settings.withNumThreads 3 c_team_size)
  found <- Runtime.statistics
  lookup "regions" found @?= Just 5
  lookup "threads_given" found @?= Just 15

regionInLoop :: Assertion
regionInLoop = do
  sums <- newIORef []
  parallelForWith (Dynamic 1) 0 40 $ \i -> do
    s <- withArrayLen [0 .. fromIntegral i :: Double] $ \n values -> c_sum values (fromIntegral n)
    atomicModifyIORef' sums (\seen -> (s : seen, ()))
  total <- sum <$> readIORef sums
  total @?= sum [sum [0 .. fromIntegral i] | i <- [0 .. 39 :: Int]]

-- | Many threads start regions at once. Returns how many workers the pool gained.
manyMasters :: CInt -> (CInt -> Bool) -> IO Int
manyMasters asked right = do
  before <- Runtime.workers
  finished <- forM [1 .. 64 :: Int] $ \_ -> do
    done <- newEmptyMVar
    _ <- forkIO $ alloca $ \out -> do
      poke out 0
      sizes <- replicateM 20 (c_busy asked 2000 out)
      putMVar done (all right sizes)
    pure done
  outcomes <- mapM takeMVar finished
  assertBool "team sizes" (and outcomes)
  subtract before <$> Runtime.workers

-- | Regions for which no team size is set share as many workers as there are Capabilities. In each round the workers of
-- earlier tests end first. One round of five has to show it.
onePool :: Assertion
onePool = do
  capabilities <- getNumCapabilities
  let allowed size = size >= 1 && size <= fromIntegral capabilities
      rounds :: Int -> IO Int
      rounds left = do
        when (capabilities > 1) $ untilM (c_pause >> (== 0) <$> Runtime.workers)
        grown <- manyMasters 0 allowed
        if grown >= capabilities && left > 1 then rounds (left - 1) else pure grown
  grown <- rounds 5
  assertBool (show grown ++ " more workers, in each of five rounds") (grown < capabilities)

-- | Regions in many loops at once: the pool stays as small as for regions without a set size, also after the threads
-- asked how many threads a region has.
onePoolInLoops :: Assertion
onePoolInLoops = do
  capabilities <- getNumCapabilities
  before <- Runtime.workers
  finished <- forM [1 .. 200 :: Int] $ \_ -> do
    done <- newEmptyMVar
    _ <- forkIO $ do
      _ <- Settings.maxThreads
      replicateM_ 30 $ parallelForWith (Dynamic 5) 0 20 $ \i ->
        withArrayLen [0 .. fromIntegral i :: Double] $ \n values -> void (c_sum values (fromIntegral n))
      putMVar done ()
    pure done
  mapM_ takeMVar finished
  now <- Runtime.workers
  assertBool (show before ++ ", now " ++ show now ++ " workers") (now <= max before (capabilities - 1))

-- | In each round new workers run Haskell and end.
helpersEnd :: Assertion
helpersEnd = do
  capabilities <- getNumCapabilities
  before <- c_rts_tasks
  when (capabilities > 1) $ replicateM_ 30 $ do
    Runtime.resetStatistics
    untilM (parallelForWith (Dynamic 1) 0 4 (\_ -> yield) >> (> Just 0) . lookup "haskell_calls" <$> Runtime.statistics)
    untilM (c_pause >> (== 0) <$> Runtime.workers) -- only idle workers end
  untilM ((< before + 15) <$> c_rts_tasks) -- a worker ends a moment later

-- | Bodies create tasks outside of any region, or in a helper's own; the tasks have children and wait for them.
tasksInLoop :: Assertion
tasksInLoop = replicateM_ 20 $ untilM $ alloca $ \wrong -> alloca $ \done -> do
  poke wrong 0
  poke done 0
  wasHelped <- isHelped (\_ -> c_later 4 20000 done wrong)
  (,) <$> peek done <*> peek wrong >>= (@?= (4 * 4 * 3, 0))
  pure wasHelped

-- | A region of a set size gets its threads; the pool holds only as many workers as were busy at one time.
sizesAsAsked :: Assertion
sizesAsAsked = do
  grown <- manyMasters 2 (== 2)
  again <- manyMasters 2 (== 2)
  assertBool (show grown ++ " more workers, then " ++ show again) (grown <= 64 && grown + again <= 64)
