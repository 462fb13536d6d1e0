-- | Scoped settings: seen inside, gone outside, also after an exception.
module Properties.Settings (tests) where

import Control.Concurrent
import Control.Exception
import GHC.OpenMP.Schedule
import GHC.OpenMP.Settings
import Properties.Schedules ()
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

inThread :: IO a -> IO a
inThread action = do
  result <- newEmptyMVar
  _ <- forkIO (action >>= putMVar result)
  takeMVar result

refused :: IO () -> Assertion
refused action = do
  outcome <- try action :: IO (Either IOException ())
  either (const (pure ())) (const (assertFailure "it was accepted")) outcome

runtimeSchedules :: Schedule -> Property
runtimeSchedules schedule = ioProperty $ (=== normal) <$> withRuntimeSchedule schedule runtimeSchedule
  where
    normal = case schedule of
      StaticChunk n -> StaticChunk (max 1 n)
      Dynamic n -> Dynamic (max 1 n)
      Guided n -> Guided (max 1 n)
      other -> other
