-- | Thousands of threads with loops, collections and exceptions at the same time.
module Properties.Stress (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import qualified Data.Map.Strict as Map
import qualified Data.Vector.Unboxed as U
import qualified Data.Vector.Unboxed.Mutable as M
import GHC.OpenMP.Loop
import GHC.OpenMP.Reduce
import System.Mem (performGC)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "stress"
  [ testCase "2000 threads" thousands
  , testCase "collections in bodies" collecting
  , testCase "allocating bodies" allocating
  , testCase "throwing at loops at random" throwing
  , testCase "beside threads that compute" besideComputing
  , testCase "setNumCapabilities between loops" capabilitiesChange
  , testCase "more helpers than there were Capabilities at first" manyHelpers
  ]

forkAll :: Int -> (Int -> IO ()) -> IO ()
forkAll n action = do
  results <- forM [1 .. n] $ \k -> do
    done <- newEmptyMVar
    _ <- forkIO (try (action k) >>= putMVar done)
    pure done
  forM_ results $ takeMVar >=> either (throwIO :: SomeException -> IO ()) pure

thousands :: Assertion
thousands = do
  total <- newIORef (0 :: Int)
  forkAll 2000 $ \k -> do
    part <- parallelReduce (+) 0 0 (k `rem` 300) pure
    atomicModifyIORef' total (\n -> (n + part, ()))
  readIORef total >>= (@?= sum [sum [0 .. k `rem` 300 - 1] | k <- [1 .. 2000]])

collecting :: Assertion
collecting = do
  total <- newIORef (0 :: Int)
  replicateM_ 10 $ parallelForWith (Dynamic 1) 0 20 $ \i -> do
    when (i `rem` 5 == 0) performGC
    atomicModifyIORef' total (\n -> (n + i, ()))
  readIORef total >>= (@?= 1900)

allocating :: Assertion
allocating = do
  sizes <- newIORef []
  parallelForWith (Dynamic 1) 0 64 $ \i -> do
    let m = Map.fromList [(k, k * i) | k <- [1 .. 3000 :: Int]]
    total <- evaluate (sum (Map.elems m))
    atomicModifyIORef' sizes (\seen -> ((i, total) : seen, ()))
  seen <- readIORef sizes
  Map.fromList seen @?= Map.fromList [(i, i * 4501500) | i <- [0 .. 63]]

-- | Each thread is killed at some point or ends; no loop may hang, and later ones must work.
throwing :: Assertion
throwing = forM_ [1 .. 10 :: Int] $ \k -> do
  ended <- newEmptyMVar
  victim <- mask_ (forkIOWithUnmask (\unmask -> -- the exception may arrive before the loop begins
    (unmask (forever (parallelFor 0 (100 * k) (\_ -> pure ()))) `catch` \e -> const (pure ()) (e :: AsyncException))
      `finally` putMVar ended ()))
  replicateM_ k yield
  killThread victim
  takeMVar ended

-- | A loop must make progress where other threads use up their time slices on its Capabilities. (The bodies share
-- nothing: threads that wait for a thunk of another one queue up in plain GHC too.)
besideComputing :: Assertion
besideComputing = do
  threads <- getNumCapabilities
  ended <- newIORef False
  begun <- newEmptyMVar
  let compute n = do
        m <- evaluate (Map.size (Map.fromList [(k, n) | k <- [1 .. 100 :: Int]]))
        over <- readIORef ended
        unless over (compute (n + m))
  done <- replicateM (threads + 1) $ do
    d <- newEmptyMVar
    d <$ forkIO ((putMVar begun () >> compute 0) `finally` putMVar d ())
  replicateM_ (threads + 1) (takeMVar begun)
  cells <- M.replicate 10000 (0 :: Int)
  replicateM_ 5 $ parallelForWith (Dynamic 100) 0 10000 $ \i -> M.modify cells (+ i) i
  writeIORef ended True
  mapM_ takeMVar done
  sums <- U.freeze cells
  sums @?= U.generate 10000 (* 5)

-- | No other thread computes: beside one, setNumCapabilities of GHC 9.0 may never return.
capabilitiesChange :: Assertion
capabilitiesChange = do
  before <- getNumCapabilities
  forM_ [1, 2, 4, 1, 3, before] $ \n -> do
    setNumCapabilities n
    total <- newIORef (0 :: Int)
    replicateM_ 20 $ parallelForWith (Dynamic 5) 0 1000 $ \i -> atomicModifyIORef' total (\t -> (t + i, ()))
    readIORef total >>= (@?= 20 * 499500)

-- | Each body waits until that many have begun.
manyHelpers :: Assertion
manyHelpers = do
  before <- getNumCapabilities
  parallelForWith (Dynamic 1) 0 10 (\_ -> pure ())
  setNumCapabilities 80
  begun <- newIORef (0 :: Int)
  all' <- newEmptyMVar
  outcome <- timeout 20000000 $ parallelForWith (Dynamic 1) 0 72 $ \_ -> do
    n <- atomicModifyIORef' begun (\n -> (n + 1, n + 1))
    when (n == 68) (putMVar all' ())
    readMVar all'
  setNumCapabilities before
  outcome @?= Just ()
