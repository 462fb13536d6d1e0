{-# LANGUAGE DeriveTraversable #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_GHC -O2 #-}

-- | 'parallelMapM' and 'parallelForM' give the results of 'mapM'; and what exceptions do to them.
module Properties.Traverse (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.Functor.Identity (Identity (..))
import Data.IORef
import Data.List (sort)
import qualified Data.Map.Strict as Map
import Data.Maybe (catMaybes)
import qualified Data.Vector as B
import GHC.OpenMP.Schedule
import qualified GHC.OpenMP.Settings as Settings
import GHC.OpenMP.Traverse
import Properties.Helped (newMeeting, untilM)
import Properties.Schedules ()
import System.IO.Unsafe (unsafeInterleaveIO, unsafePerformIO)
import System.Mem (performMajorGC)
import System.Mem.Weak (Weak, deRefWeak)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "traverse"
  [ testProperty "is mapM, of a list" $ \schedule (xs :: [Int]) ->
      ioProperty ((=== map (* 3) xs) <$> parallelMapMWith schedule (pure . (* 3)) xs)
  , testProperty "is mapM, of a map" $ \(pairs :: [(Int, Int)]) ->
      let m = Map.fromList pairs in ioProperty ((=== Map.map (+ 1) m) <$> parallelForM m (pure . (+ 1)))
  , testProperty "is mapM, of a vector" $ \(xs :: [Int]) ->
      ioProperty ((=== B.fromList (map show xs)) <$> parallelForM (B.fromList xs) (pure . show))
  , testProperty "each action once" eachOnce
  , testProperty "many elements, with a schedule" (withMaxSuccess 10 many)
  , testCase "none, and one" noneAndOne
  , testCase "a Foldable that sees other elements than the Traversable" otherFoldable
  , testCase "results are as they were returned" lazyResults
  , testCase "one in another" nested
  , testCase "from many more threads than Capabilities" manyCallers
  , testCase "with one thread" $ Settings.withNumThreads 1 (parallelMapM (pure . negate) [1 .. 100 :: Int]) >>= (@?= [-1, -2 .. -100])
  , testGroup "without results"
      [ testProperty "each action once" eachOnceWithout
      , testCase "a map, and none" $ do
          sum' <- newIORef (0 :: Int)
          let add n = atomicModifyIORef' sum' (\s -> (s + n, ()))
          parallelForM_ (Map.fromList [(k, k * k) | k <- [1 .. 10 :: Int]]) add
          parallelMapM_ add []
          parallelReplicateM_ 7 (add 1000)
          parallelReplicateM_ (-1) (add 1000)
          readIORef sum' >>= (@?= 7385)
      , testCase "so many times, with results" $ do
          count <- newIORef (0 :: Int)
          found <- parallelReplicateM 1000 (atomicModifyIORef' count (\n -> (n + 1, n)))
          sort found @?= [0 .. 999]
          parallelReplicateM (-3) (pure 'x') >>= (@?= "")
      , testCase "they begin in order" beginInOrder
      , testCase "an endless list, until one throws" endless
      , testCase "nothing is kept of the elements before" nothingKeptWithout
      , testCase "an element that comes when the one before is done" oneByOne
      , testCase "an exception of the structure" $ do
          outcome <- try (parallelMapM_ (\_ -> pure ()) ([1 .. 100 :: Int] ++ throw (Stop 5)))
          outcome @?= Left (Stop 5)
      , testCase "actions that wait for each other" $ forM_ [2, 3, 10, 300] waitForEachOther
      , testCase "timeout" $ do
          never <- newEmptyMVar :: IO (MVar ())
          timeout 20000 (parallelMapM_ (\_ -> takeMVar never) [1 :: Int ..]) >>= (@?= Nothing)
          putMVar never ()
      ]
  , testGroup "exceptions"
      [ testCase "the first arrives, and everybody is quiet" arrives
      , testCase "others stop" othersStop
      , testCase "every action throws: one arrives" everyAction
      , testCase "nothing is kept of what was computed before" nothingKept
      , testCase "timeout where every action waits" timeoutWaiting
      , testCase "killThread where every action waits" killWaiting
      , testCase "actions that wait for what cannot come" blockedForEver
      , testCase "the masking state is the actions'" masking
      ]
  ]

newtype Stop = Stop Int deriving (Eq, Show)

instance Exception Stop

eachOnce :: Schedule -> NonNegative (Small Int) -> Property
eachOnce schedule (NonNegative (Small n)) = ioProperty $ do
  counts <- replicateM n (newIORef (0 :: Int))
  _ <- parallelForMWith schedule counts (\c -> atomicModifyIORef' c (\k -> (k + 1, ())))
  seen <- mapM readIORef counts
  pure (seen === replicate n 1)

eachOnceWithout :: NonNegative (Small Int) -> Property
eachOnceWithout (NonNegative (Small n)) = ioProperty $ do
  counts <- replicateM (10 * n) (newIORef (0 :: Int))
  parallelMapM_ (\c -> atomicModifyIORef' c (\k -> (k + 1, ()))) counts
  seen <- mapM readIORef counts
  pure (seen === replicate (10 * n) 1)

-- | An action may begin before one that was taken earlier, but not before those that had to end first.
beginInOrder :: Assertion
beginInOrder = do
  ended <- newIORef (0 :: Int)
  parallelForM_ [0 .. 20000] $ \i -> do
    n <- readIORef ended
    threads <- getNumCapabilities
    when (n < i - 1000 * threads) $ assertFailure ("the element " ++ show i ++ " when " ++ show n ++ " had ended")
    atomicModifyIORef' ended (\k -> (k + 1, ()))

endless :: Assertion
endless = do
  ran <- newIORef (0 :: Int)
  outcome <- try $ parallelForM_ [0 ..] $ \i -> do
    atomicModifyIORef' ran (\k -> (k + 1, ()))
    when (i == 5000) $ throwIO (Stop i)
  outcome @?= Left (Stop 5000)
  n <- readIORef ran
  assertBool (show n ++ " actions") (n >= 5000)

-- | When the last elements are executed, a collection has freed the first ones.
nothingKeptWithout :: Assertion
nothingKeptWithout = do
  weak <- newIORef []
  alive <- newIORef (-1)
  end <- newIORef 3000 -- else the list would be a constant of the program, which is kept
  last' <- readIORef end
  parallelForM_ (map newElement [0 .. last']) $ \element -> do
    i <- readIORef element
    made <- mkWeakIORef element (pure ())
    if i < 1000 then atomicModifyIORef' weak (\others -> (made : others, ())) else when (i == last') $
      readIORef weak >>= untilFew 20 >>= writeIORef alive
  n <- readIORef alive
  assertBool (show n ++ " of 1000 are alive") (n >= 0 && n < 20)

-- | How many are alive after a collection: fewer than so many, or too many after a hundred. A thread that has just left the loop,
-- or looks at it, may hold some for a moment.
untilFew :: Int -> [Weak a] -> IO Int
untilFew few weak = go (100 :: Int)
  where
    go tries = do
      performMajorGC
      alive <- length . catMaybes <$> mapM deRefWeak weak
      if alive < few || tries == 0 then pure alive else yield >> go (tries - 1)

newElement :: Int -> IORef Int
newElement i = unsafePerformIO (newIORef i)
{-# NOINLINE newElement #-}

-- | Like the lines of somebody who waits for an answer before he writes the next one.
oneByOne :: Assertion
oneByOne = do
  answers <- replicateM 200 newEmptyMVar
  let lines' [] = pure []
      lines' ((k, answer) : others) = unsafeInterleaveIO $ do
        rest <- unsafeInterleaveIO (takeMVar answer >> lines' others)
        pure ((k, answer) : rest)
  dialogue <- lines' (zip [1 :: Int ..] answers)
  told <- newIORef []
  parallelForM_ dialogue $ \(k, answer) -> atomicModifyIORef' told (\ks -> (k : ks, ())) >> putMVar answer ()
  readIORef told >>= (@?= [200, 199 .. 1])

waitForEachOther :: Int -> Assertion
waitForEachOther n = newMeeting n >>= \arrive -> parallelForM_ [1 .. n] (const arrive)

many :: Schedule -> Property
many schedule = ioProperty $ do
  found <- parallelMapMWith schedule (\i -> evaluate (i * i)) [0 .. 100000 :: Int]
  pure (found === map (\i -> i * i) [0 .. 100000])

noneAndOne :: Assertion
noneAndOne = do
  ran <- newIORef (0 :: Int)
  let action x = (x + 1) <$ atomicModifyIORef' ran (\n -> (n + 1, ()))
  parallelMapM action ([] :: [Int]) >>= (@?= [])
  parallelMapM action (Nothing :: Maybe Int) >>= (@?= Nothing)
  readIORef ran >>= (@?= 0)
  parallelForM (Identity 7) action >>= (@?= Identity (8 :: Int))
  parallelForM [7] action >>= (@?= [8 :: Int])
  readIORef ran >>= (@?= 2)

-- | A container with elements that a fold does not see: the actions run on them too, and their results are kept.
data Hidden a = Hidden a a a deriving (Eq, Show, Functor, Traversable)

instance Foldable Hidden where
  foldr _ end _ = end

otherFoldable :: Assertion
otherFoldable = parallelMapM (pure . (* 2)) (Hidden 1 2 (3 :: Int)) >>= (@?= Hidden 2 4 6)

lazyResults :: Assertion
lazyResults = do
  found <- parallelMapM (\i -> pure (if odd i then throw (Stop i) else i)) [0 .. 99]
  length found @?= 100
  sum [x | (i, x) <- zip [0 :: Int ..] found, even i] @?= 2450
  try (evaluate (found !! 7)) >>= (@?= Left (Stop 7))

nested :: Assertion
nested = do
  table <- parallelForMWith (Dynamic 1) [1 .. 30] $ \i -> parallelForMWith (Dynamic 1) [1 .. 30] $ \j -> pure (i * j)
  table @?= [[i * j | j <- [1 .. 30]] | i <- [1 .. 30 :: Int]]

manyCallers :: Assertion
manyCallers = do
  boxes <- forM [1 .. 300] $ \k -> do
    box <- newEmptyMVar
    box <$ forkIO (parallelMapMWith (Dynamic 1) (\i -> (i + k) <$ yield) [1 .. 100] >>= putMVar box . sum)
  found <- mapM takeMVar boxes
  found @?= [5050 + 100 * k | k <- [1 .. 300 :: Int]]

-- ---------------------------------------------------------------------------------- exceptions

arrives :: Assertion
arrives = forM_ [Auto, Static, Dynamic 1, Guided 1] $ \schedule -> forM_ [0, 1, 499, 998, 999] $ \bad -> do
  running <- newIORef (0 :: Int)
  let add n = atomicModifyIORef' running (\k -> (k + n, ()))
  outcome <- try $ parallelForMWith schedule [0 .. 999] $ \i ->
    bracket_ (add 1) (add (-1)) (if i == bad then throwIO (Stop i) else pure i)
  outcome @?= Left (Stop bad)
  readIORef running >>= (@?= 0)

-- | After an action has thrown, only a few more for each worker begin, not a million.
othersStop :: Assertion
othersStop = do
  ran <- newIORef (0 :: Int)
  outcome <- try $ parallelForMWith (Dynamic 1) [0 .. 1000000 :: Int] $ \i -> do
    n <- atomicModifyIORef' ran (\n -> (n + 1, n + 1))
    when (n == 1000) $ throwIO (Stop i)
  either (\(Stop _) -> pure ()) (\_ -> assertFailure "no exception") outcome
  n <- readIORef ran
  assertBool (show n ++ " actions") (n >= 1000 && n < 1000000)

everyAction :: Assertion
everyAction = do
  outcome <- try (parallelMapMWith (Dynamic 1) (throwIO . Stop) [0 .. 9999] :: IO [()])
  case outcome of
    Left (Stop i) -> assertBool "an element of the list" (i >= 0 && i < 10000)
    Right _ -> assertFailure "no exception"

-- | After an action has thrown, a collection frees what the other actions had returned.
nothingKept :: Assertion
nothingKept = do
  seen <- newIORef []
  outcome <- try $ parallelForMWith (Dynamic 1) [0 .. 500 :: Int] $ \i -> do
    result <- newIORef i
    weak <- mkWeakIORef result (pure ())
    atomicModifyIORef' seen (\others -> (weak : others, ()))
    if i == 400 then throwIO (Stop i) else pure result
  either (@?= Stop 400) (\_ -> assertFailure "no exception") outcome
  alive <- readIORef seen >>= untilFew 1
  alive @?= 0

-- | An action closes what it has opened, on helpers too.
waitingActions :: MVar () -> IORef Int -> IO [()]
waitingActions never open = parallelForMWith (Dynamic 1) [1 .. 8 :: Int] $ \i ->
  bracket_ (add 1) (add (-1)) (if even i then takeMVar never else threadDelay 1000000000)
  where add n = atomicModifyIORef' open (\k -> (k + n, ()))

timeoutWaiting :: Assertion
timeoutWaiting = do
  never <- newEmptyMVar
  open <- newIORef 0
  replicateM_ 5 $ do
    timeout 20000 (waitingActions never open) >>= (@?= Nothing)
    readIORef open >>= (@?= 0)
  putMVar never ()

killWaiting :: Assertion
killWaiting = do
  never <- newEmptyMVar
  open <- newIORef 0
  ended <- newEmptyMVar
  thread <- forkIO (void (waitingActions never open) `catch` \e -> readIORef open >>= \n -> putMVar ended (e, n))
  untilM ((> 0) <$> readIORef open)
  killThread thread
  takeMVar ended >>= (@?= (ThreadKilled, 0))
  putMVar never ()

-- | No reference to the thread exists, because a thread that has one could still throw to it.
blockedForEver :: Assertion
blockedForEver = do
  outcome <- newEmptyMVar
  _ <- forkIO $ do
    never <- newEmptyMVar :: IO (MVar ())
    found <- try (parallelMapMWith (Dynamic 1) (\i -> when (i == 3) (takeMVar never)) [0 .. 7 :: Int])
    putMVar outcome (either (\BlockedIndefinitelyOnMVar -> True) (const False) found)
  takeMVar outcome >>= (@?= True)

masking :: Assertion
masking = forM_ [(id, Unmasked), (mask_, MaskedInterruptible), (uninterruptibleMask_, MaskedUninterruptible)] $
  \(masked, state) -> masked (parallelMapMWith (Dynamic 1) (\_ -> getMaskingState) [1 .. 50 :: Int]) >>= (@?= replicate 50 state)
