{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_GHC -O2 #-}

-- | 'parallelEval' is its argument, evaluated as it was asked for; 'parallelPair' is a pair.
module Properties.Evaluate (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import qualified Data.Map as Map
import GHC.Conc (atomically, newTVarIO, readTVar, writeTVar)
import GHC.OpenMP.Evaluate
import Properties.Schedules ()
import System.IO.Unsafe (unsafePerformIO)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "evaluate"
  [ testProperty "is its argument, a list" $ \schedule (xs :: [Int]) -> parallelEvalWith schedule (`seq` ()) (map (+ 1) xs) === map (+ 1) xs
  , testProperty "is its argument, a map" $ \(pairs :: [(Int, [Int])]) ->
      let m = Map.fromList pairs in parallelEval (\xs -> sum xs `seq` ()) m === m
  , testCase "none, and one" $ do
      parallelEval (`seq` ()) "" @?= ""
      parallelEval (`seq` ()) (Just 'a') @?= Just 'a'
  , testCase "every element is evaluated once, before the structure is there" eachOnce
  , testCase "no further than asked for" $ length (parallelEval (const ()) (replicate 100 (throw Stop :: Int))) @?= 100
  , testCase "an exception of an element" $ forM_ [0, 50, 99] $ \bad -> do
      let value = parallelEval (`seq` ()) [if i == bad then throw Stop else i | i <- [0 .. 99 :: Int]]
      replicateM_ 3 (try (evaluate value) >>= (@?= Left Stop))
  , testCase "a timeout does not become the value" interrupted
  , testCase "in transactions that conflict" conflicts
  , testCase "a pair" $ do
      let fib n = if n < 2 then n else uncurry (+) (parallelPair (fib (n - 1)) (fib (n - 2))) :: Int
      fib 20 @?= 6765
  , testProperty "a pair is the pair" $ \(a :: Int) (b :: Integer) -> parallelPair a b === (a, b)
  , testCase "a pair's exceptions" $ do
      try (evaluate (parallelPair (throw Stop :: Int) 'b')) >>= (@?= Left Stop)
      try (evaluate (parallelPair 'a' (throw Stop :: Int))) >>= (@?= Left Stop)
  ]

data Stop = Stop deriving (Eq, Show)

instance Exception Stop

eachOnce :: Assertion
eachOnce = forM_ [1, 2, 100, 3000] $ \n -> do
  count <- newIORef (0 :: Int)
  let element i = unsafePerformIO (i <$ atomicModifyIORef' count (\k -> (k + 1, ())))
  xs <- evaluate (parallelEval (`seq` ()) (map element [1 .. n :: Int]))
  readIORef count >>= (@?= n)
  sum xs @?= n * (n + 1) `div` 2
  readIORef count >>= (@?= n)

-- | An element needs what another thread has not done yet.
interrupted :: Assertion
interrupted = do
  gate <- newEmptyMVar
  let element i = if i == 30 then unsafePerformIO (readMVar gate) else i
      value = parallelEval (`seq` ()) (map element [0 .. 99 :: Int])
  replicateM_ 3 (timeout 5000 (evaluate value) >>= (@?= Nothing) . fmap length)
  putMVar gate 30
  evaluate value >>= (@?= [0 .. 99])

conflicts :: Assertion
conflicts = do
  amount <- newTVarIO (0 :: Int)
  ends <- replicateM 8 newEmptyMVar
  forM_ ends $ \end -> forkIO $ do
    replicateM_ 50 . atomically $ do
      n <- readTVar amount
      writeTVar amount $! n + length (parallelEval (`seq` ()) [n .. n + 99])
    getMaskingState >>= putMVar end
  mapM_ (takeMVar >=> (@?= Unmasked)) ends
  atomically (readTVar amount) >>= (@?= 8 * 50 * 100)
