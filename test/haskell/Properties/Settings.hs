-- | Scoped settings hold inside the action and no longer, also after an exception.
module Properties.Settings (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import Data.List (isInfixOf)
import GHC.OpenMP.Schedule
import GHC.OpenMP.Settings
import Properties.Schedules ()
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "settings"
  [ testCase "the default team is the Capabilities" $ do
      capabilities <- getNumCapabilities
      inThread maxThreads >>= (@?= capabilities)
  , testCase "withNumThreads" $ scoping maxThreads withNumThreads 5
  , testCase "withMaxActiveLevels" $ scoping maxActiveLevels withMaxActiveLevels 3
  , testCase "withDynamicThreads" $ scoping dynamicThreads withDynamicThreads True
  , testProperty "withRuntimeSchedule" runtimeSchedules
  , testCase "in a thread that is not bound" $ inThread (withNumThreads 7 maxThreads) >>= (@?= 7)
  , testCase "timeout in a thread that is not bound" $ do
      never <- newEmptyMVar
      inThread (timeout 20000 (withNumThreads 7 (takeMVar never))) >>= (@?= (Nothing :: Maybe ()))
      putMVar never ()
  , testCase "killThread in a thread that is not bound" killed
  , testCase "exceptions that the action catches" caught
  , testCase "masks in a thread that is not bound" $ do
      inThread (withNumThreads 7 getMaskingState) >>= (@?= Unmasked)
      inThread (mask_ (withNumThreads 7 getMaskingState)) >>= (@?= MaskedInterruptible)
      inThread (uninterruptibleMask_ (withNumThreads 7 getMaskingState)) >>= (@?= MaskedUninterruptible)
  , testCase "nested" $ withNumThreads 3 (withNumThreads 4 maxThreads) >>= (@?= 4)
  , testCase "after an exception" $ do
      before <- maxThreads
      outcome <- try (withNumThreads (before + 1) (throwIO Overflow))
      outcome @?= (Left Overflow :: Either ArithException ())
      maxThreads >>= (@?= before)
  , testCase "a number that is none" $ refused (withNumThreads 0 (pure ()))
  , testCase "levels that are none" $ refused (withMaxActiveLevels (-1) (pure ()))
  , testCase "outside of regions" $ do
      (,,,) <$> threadNumber <*> teamSize <*> inParallel <*> level >>= (@?= (0, 1, False, 0))
  , testCase "time passes" $ do
      before <- wallTime
      later <- wallTime
      tick <- wallTick
      assertBool "not backward, in seconds" (later >= before && later - before < 10 && tick > 0 && tick < 1)
  , testCase "processors" $ processors >>= \n -> assertBool "at least one" (n >= 1)
  , testCase "no places without binding" $ (,) <$> places <*> placeNumber >>= (@?= ([], Nothing))
  ]

scoping :: (Eq a, Show a) => IO a -> (a -> IO a -> IO a) -> a -> Assertion
scoping get with wanted = do
  before <- get
  with wanted get >>= (@?= wanted)
  get >>= (@?= before)

-- | The action gets the exception, and then the thread.
killed :: Assertion
killed = do
  begun <- newEmptyMVar
  ended <- newEmptyMVar
  never <- newEmptyMVar
  inside <- newEmptyMVar
  thread <- forkIO $
    (withNumThreads 7 (putMVar begun () >> takeMVar never) `catch` \e -> putMVar inside (e :: AsyncException) >> throwIO e)
      `catch` putMVar ended
  takeMVar begun
  killThread thread
  takeMVar inside >>= (@?= ThreadKilled)
  takeMVar ended >>= (@?= ThreadKilled)
  putMVar never ()

-- | Each exception is delivered once: in the action while it runs, and in the thread afterwards.
caught :: Assertion
caught = forM_ [1 .. 100 :: Int] $ \k -> do
  inAction <- newIORef (0 :: Int)
  begun <- newEmptyMVar
  ended <- newEmptyMVar
  thread <- mask_ $ forkIOWithUnmask $ \unmask -> do
    outcome <- try $ unmask $ withNumThreads 2 $ putMVar begun () >>
      (replicateM_ (k * 10) yield `catch` \e -> const (modifyIORef' inAction (+ 1)) (e :: ArithException))
    putMVar ended (either (const 1) (const 0) (outcome :: Either ArithException ()))
  takeMVar begun
  replicateM_ (k * 5 `rem` 300) yield
  throwTo thread Overflow
  outside <- takeMVar ended
  inside <- readIORef inAction
  -- Neither gets an exception that arrives after the thread has ended.
  assertBool (show (inside, outside)) (inside + outside <= (1 :: Int))

inThread :: IO a -> IO a
inThread action = do
  result <- newEmptyMVar
  _ <- forkIO (action >>= putMVar result)
  takeMVar result

refused :: IO () -> Assertion
refused action = do
  outcome <- try action
  case outcome of
    Left e -> assertBool (show e) (all (`isInfixOf` show (e :: BadArgument)) ["got ", ", expected a number from ", "; nothing was changed", "Settings.hs"])
    Right () -> assertFailure "it was accepted"

runtimeSchedules :: Schedule -> Property
runtimeSchedules schedule = ioProperty $ (=== normal) <$> withRuntimeSchedule schedule runtimeSchedule
  where
    normal = case schedule of
      StaticChunk n -> StaticChunk (max 1 n)
      Dynamic n -> Dynamic (max 1 n)
      Guided n -> Guided (max 1 n)
      other -> other
