-- | What happens to a loop when a body throws, or somebody throws at its caller.
module Properties.Exceptions (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import GHC.OpenMP.Loop
import Properties.Schedules
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "exceptions"
  [ testCase "an exception arrives, and everybody is quiet" arrives
  , testCase "it stops the loop" stops
  , testCase "every body throws: one arrives" everyBody
  , testCase "timeout on a running loop" timeoutWorks
  , testCase "killThread on a running loop" killWorks
  , testCase "an exception out of a nested loop" fromNested
  , testCase "the masking state is kept" masking
  , testCase "a loop under uninterruptibleMask is whole" uninterruptible
  , testCase "loops work after all of this" afterwards
  ]

newtype Stop = Stop Int deriving (Eq, Show)

instance Exception Stop

-- | Whoever threw: no body runs any more when the exception arrives.
arrives :: Assertion
arrives = forM_ allSchedules $ \schedule -> forM_ [0, 1, 499, 998, 999] $ \bad -> do
  running <- newIORef (0 :: Int)
  outcome <- try $ parallelForWith schedule 0 1000 $ \i -> do
    atomicModifyIORef' running (\n -> (n + 1, ()))
    when (i == bad) $ atomicModifyIORef' running (\n -> (n - 1, ())) >> throwIO (Stop i)
    atomicModifyIORef' running (\n -> (n - 1, ()))
  outcome @?= Left (Stop bad)
  readIORef running >>= (@?= 0)

stops :: Assertion
stops = do
  count <- newIORef (0 :: Int)
  outcome <- try $ parallelForWith (Dynamic 1) 0 1000000000 $ \i -> do
    n <- atomicModifyIORef' count (\n -> (n + 1, n + 1))
    when (n == 1000) $ throwIO (Stop i)
  either (\(Stop _) -> pure ()) (\() -> assertFailure "no exception") outcome

everyBody :: Assertion
everyBody = do
  outcome <- try (parallelForWith (Dynamic 1) 0 100000 (throwIO . Stop))
  case outcome of
    Left (Stop i) -> assertBool "an iteration of the loop" (i >= 0 && i < 100000)
    Right () -> assertFailure "no exception"

-- | A loop that would take minutes; its bodies do not allocate.
endless :: IORef Bool -> IO ()
endless quiet = do
  writeIORef quiet False
  parallelFor 0 200000000000 (\_ -> pure ()) `finally` writeIORef quiet True

timeoutWorks :: Assertion
timeoutWorks = do
  quiet <- newIORef False
  timeout 20000 (endless quiet) >>= (@?= Nothing)
  readIORef quiet >>= (@?= True)

killWorks :: Assertion
killWorks = do
  quiet <- newIORef False
  started <- newEmptyMVar
  ended <- newEmptyMVar
  thread <- forkIO $ (putMVar started () >> endless quiet) `catch` \e -> putMVar ended (e :: AsyncException)
  takeMVar started
  yield
  killThread thread
  takeMVar ended >>= (@?= ThreadKilled)
  readIORef quiet >>= (@?= True)

fromNested :: Assertion
fromNested = do
  outcome <- try $ parallelForWith (Dynamic 1) 0 20 $ \i -> parallelForWith (Dynamic 1) 0 20 $ \j ->
    when (i == 13 && j == 7) $ throwIO (Stop 137)
  outcome @?= Left (Stop 137)

masking :: Assertion
masking = do
  states <- newIORef []
  let note = getMaskingState >>= \s -> atomicModifyIORef' states (\seen -> (s : seen, ()))
  parallelFor 0 10 (const note)
  readIORef states >>= (@?= replicate 10 Unmasked)
  getMaskingState >>= (@?= Unmasked)
  mask_ (parallelFor 0 10 (const (pure ())) >> getMaskingState) >>= (@?= MaskedInterruptible)

uninterruptible :: Assertion
uninterruptible = do
  count <- newIORef (0 :: Int)
  done <- newEmptyMVar
  thread <- uninterruptibleMask_ $ forkIOWithUnmask $ \unmask -> do
    parallelForWith (Dynamic 1) 0 2000 $ \_ -> atomicModifyIORef' count (\n -> (n + 1, ())) >> yield
    readIORef count >>= putMVar done
    unmask (pure ())
  _ <- forkIO (killThread thread)
  takeMVar done >>= (@?= 2000)

afterwards :: Assertion
afterwards = do
  count <- newIORef (0 :: Int)
  replicateM_ 200 $ parallelFor 0 500 $ \_ -> atomicModifyIORef' count (\n -> (n + 1, ()))
  readIORef count >>= (@?= 100000)
