-- | Handles of async's beside calls of the pool: who ends whom, and that nothing runs afterwards.
module Main (main) where

import Control.Concurrent
import Control.Concurrent.OpenMP.Async
import Control.Exception
import Control.Monad
import Data.IORef
import Test.Tasty
import Test.Tasty.HUnit

main :: IO ()
main = defaultMain . localOption (mkTimeout 60000000) $ testGroup "handles"
  [ testCase "a handle that is cancelled ends the actions of its call" (ends cancel)
  , testCase "so does the end of withAsync" endsWithScope
  , testCase "and an exception of any type" (ends (`cancelWith` Overflow))
  , testCase "actions of a call wait for handles, and handles for actions" waits
  , testCase "a failed handle that is linked ends the caller's call" linked
  , testCase "the first of two handles, in actions of the pool" first
  , testCase "concurrently of handles has both results" $
      withAsync (pure 'a') (\a -> withAsync (pure True) (\b -> concurrently (wait a) (wait b))) >>= (@?= ('a', True))
  , testCase "the functor waits for handles" $
      withAsync (pure (20 :: Int)) (\a -> runConcurrently ((+) <$> Concurrently (wait a) <*> Concurrently (pure 22))) >>= (@?= 42)
  ]

-- | So many actions are under way.
gauged :: IORef Int -> IO a -> IO a
gauged gauge action = bracket_ (add 1) (add (-1)) action
  where add n = atomicModifyIORef' gauge (\k -> (k + n, ()))

-- | Actions of one call that wait for ever; begins when all have begun.
sleepers :: Int -> IORef Int -> MVar () -> IO ()
sleepers n gauge begun = do
  left <- newMVar n
  replicateConcurrently_ n . gauged gauge $ do
    last' <- modifyMVar left (\k -> pure (k - 1, k == 1))
    when last' (putMVar begun ())
    forever (threadDelay 1000000)

ends :: (Async () -> IO ()) -> Assertion
ends end = do
  gauge <- newIORef 0
  begun <- newEmptyMVar
  handle' <- async (sleepers 20 gauge begun)
  takeMVar begun
  readIORef gauge >>= (@?= 20)
  end handle'
  outcome <- waitCatch handle'
  readIORef gauge >>= (@?= 0)
  either (const (pure ())) (const (assertFailure "it has ended by itself")) outcome

endsWithScope :: Assertion
endsWithScope = do
  gauge <- newIORef 0
  begun <- newEmptyMVar
  withAsync (sleepers 20 gauge begun) (const (takeMVar begun))
  readIORef gauge >>= (@?= 0)

waits :: Assertion
waits = do
  doors <- replicateM 10 newEmptyMVar
  withAsync (forM_ doors (`putMVar` 'x')) $ \opener -> do
    xs <- forConcurrently doors (\door -> takeMVar door)
    xs @?= replicate 10 'x'
    wait opener
  sums <- forConcurrently [1 .. 10 :: Int] (\n -> withAsync (pure (n * n)) wait)
  sum sums @?= 385

linked :: Assertion
linked = do
  gauge <- newIORef 0
  begun <- newEmptyMVar
  gate <- newEmptyMVar
  failing <- async (takeMVar gate >> throwIO Overflow :: IO ())
  outcome <- try $ do
    link failing
    concurrently_ (sleepers 5 gauge begun) (takeMVar begun >> putMVar gate ())
  readIORef gauge >>= (@?= 0)
  case outcome of
    Left (ExceptionInLinkedThread known e) -> do
      compareAsyncs known failing @?= EQ
      fromException e @?= Just Overflow
    Right () -> assertFailure "the call has ended by itself"

first :: Assertion
first = do
  gate <- newEmptyMVar :: IO (MVar ())
  winner <- race (withAsync (takeMVar gate) wait) (withAsync (pure 'b') wait)
  winner @?= Right 'b'
  tryPutMVar gate () >>= (@?= True)
