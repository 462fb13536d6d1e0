-- | 'both' under locks, with timeouts, and with exceptions of every origin.
module Properties.Pairs (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import GHC.OpenMP.Task
import System.Exit (ExitCode (..))
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "pairs"
  [ testGroup "a lock is held over both" [testCase what (locked g) | (what, g) <- locks]
  , testCase "a lock is held over spawn of many tasks that want it" spawnsUnderLock
  , testCase "timeout ends its own pair, and no other task" timesOut
  , testCase "killThread ends a task's pair" killed
  , testCase "the second action's exception, whichever thread runs it" ofSecond
  , testCase "if both actions throw, either exception is thrown" ofBoth
  , testCase "a handler between two pairs sees what its pair throws" handledBetween
  , testCase "what is thrown at the caller ends both actions" fromOutside
  , testCase "what is thrown at the group's owner is not lost when a pair fails of which it executes an action" ownersIsNotLost
  , testCase "deeper than a deque holds" $ taskGroup (\g -> deep g 500) >>= (@?= 501)
  , testCase "pairs of threads that are not members" guests
  ]

compute :: Int -> IO Int
compute n = evaluate (length (show (product [1 .. toInteger n])))

pairOf :: TaskGroup -> Int -> IO ()
pairOf g n = void (both g (compute n) (compute n))

-- | Each is one round with the lock.
locks :: [(String, MVar () -> TaskGroup -> IO ())]
locks =
  [ ("whose first action spawns a task that wants it", \lock g ->
      withMVar lock (\_ -> void (both g (spawn g (wants lock) >> compute 20) (compute 60))))
  , ("whose second action spawns it", \lock g ->
      withMVar lock (\_ -> void (both g (compute 20) (spawn g (wants lock) >> compute 60))))
  , ("by tasks of which each spawns such a one", \lock g ->
      replicateM_ 8 . spawn g $ spawn g (withMVar lock (\_ -> pairOf g 40)) >> withMVar lock (\_ -> pairOf g 40))
  , ("by tasks in the second action of which another one is spawned", \lock g ->
      replicateM_ 8 . spawn g $ withMVar lock $ \_ ->
        void (both g (compute 20) (spawn g (withMVar lock (\_ -> pairOf g 20)) >> compute 40)))
  , ("and both of its actions have pairs", \lock g ->
      replicateM_ 4 . spawn g $ withMVar lock (\_ -> void (both g (pairOf g 30) (pairOf g 30 >> pairOf g 30))))
  ]
  where wants lock = withMVar lock (\_ -> void (compute 10))

spawnsUnderLock :: Assertion
spawnsUnderLock = do
  lock <- newMVar ()
  done <- newIORef 0
  taskGroup $ \g -> withMVar lock $ \_ ->
    replicateM_ 100000 (spawn g (withMVar lock (\_ -> modifyIORef' done (+ 1))))
  readIORef done >>= (@?= (100000 :: Int))

locked :: (MVar () -> TaskGroup -> IO ()) -> Assertion
locked round' = do
  lock <- newMVar ()
  done <- timeout 60000000 (replicateM_ 300 (taskGroup (round' lock)))
  done @?= Just ()

countUp :: IORef Int -> IO ()
countUp ref = atomicModifyIORef' ref (\n -> (n + 1, ()))

timesOut :: Assertion
timesOut = replicateM_ 20 $ do
  done <- newIORef 0
  never <- newEmptyMVar
  outcomes <- taskGroup $ \g -> do
    replicateM_ 10 (spawn g (compute 300 >> countUp done))
    forM [False, True] $ \inSecond -> timeout 2000 $
      if inSecond then both g (compute 10) (takeMVar never) else both g (takeMVar never) (compute 10)
  outcomes @?= [Nothing, Nothing]
  readIORef done >>= (@?= 10)
  putMVar never (0 :: Int)

killed :: Assertion
killed = replicateM_ 20 $ do
  done <- newIORef 0
  never <- newEmptyMVar
  saw <- newIORef Nothing
  taskGroup $ \g -> do
    target <- newEmptyMVar
    spawn g $ do
      outcome <- try $ do
        myThreadId >>= putMVar target
        both g (compute 10) (takeMVar never)
      writeIORef saw (Just (either (\e -> (e :: AsyncException) == ThreadKilled) (const False) outcome))
    replicateM_ 10 (spawn g (compute 300 >> countUp done))
    void . forkIO $ takeMVar target >>= \thread -> yield >> killThread thread
  (,) <$> readIORef saw <*> readIORef done >>= (@?= (Just True, 10))
  putMVar never (0 :: Int)

ofSecond :: Assertion
ofSecond = forM_ [toException ThreadKilled, toException UserInterrupt, toException Overflow, toException (ErrorCall "own")] $ \e ->
  replicateM_ 100 $ do
    done <- newIORef 0
    outcome <- taskGroup $ \g -> do
      caught <- try (both g yield (yield >> throwIO e >> pure ()))
      replicateM_ 10 (spawn g (countUp done))
      pure (either (\x -> show (x :: SomeException)) (const "none") caught)
    outcome @?= show e
    readIORef done >>= (@?= 10)

ofBoth :: Assertion
ofBoth = replicateM_ 500 $ do
  outcome <- taskGroup (\g -> try (both g (throwIO Overflow :: IO ()) (throwIO Underflow :: IO ())))
  assertBool (show outcome) (outcome `elem` [Left Overflow, Left Underflow])

-- | A waiting thread may execute the inner second action. It is still the inner pair's.
handledBetween :: Assertion
handledBetween = forM_ [ThreadKilled, UserInterrupt] $ \e -> replicateM_ 300 $ do
  outcome <- taskGroup $ \g -> do
    let inner = (() <$ both g (void (compute 60)) (compute 5 >> throwIO e)) `catch` \x -> when (x /= e) (throwIO x)
    snd <$> both g (compute 10) (inner >> inner >> pure "handled")
  outcome @?= "handled"

-- | The caller waits for its second action, and executes parts of it. (If no helper comes, nothing is thrown in that round.)
fromOutside :: Assertion
fromOutside = forM_ [toException (ErrorCall "from outside"), toException ThreadKilled] $ \e -> replicateM_ 100 $ do
  ended <- newEmptyMVar
  begun <- newEmptyMVar
  stolen <- newIORef False
  open <- newIORef (0 :: Int)
  target <- mask $ \restore -> forkIO $ do
    caller <- myThreadId
    outcome <- try . restore . taskGroup $ \g -> do
      let add n = atomicModifyIORef' open (\k -> (k + n, ()))
          tree :: Int -> IO ()
          tree 0 = bracket_ (add 1) (add (-1)) (void (compute 30))
          tree n = void (both g (tree (n - 1)) (tree (n - 1)))
          second = do
            helps <- (/= caller) <$> myThreadId
            when helps $ writeIORef stolen True >> putMVar begun True >> forever (tree 4)
      both g (giveWay stolen (1000 :: Int)) second
    left <- readIORef open
    putMVar begun False
    putMVar ended (outcome, left)
  helped <- takeMVar begun
  when helped $ compute 200 >> throwTo target e >> void (takeMVar begun)
  (outcome, left) <- takeMVar ended
  either show (const "none") (outcome :: Either SomeException ((), ())) @?= (if helped then show e else "none")
  left @?= 0
  where
    giveWay there k = readIORef there >>= \is -> unless (is || k == 0) (yield >> giveWay there (k - 1))

deep :: TaskGroup -> Int -> IO Int
deep g n = if n == 0 then pure 1 else uncurry (+) <$> both g (deep g (n - 1)) (pure 1)

-- | A forked thread, whose second actions members execute, and a loop's helpers.
guests :: Assertion
guests = replicateM_ 50 $ do
  results <- newIORef 0
  taskGroup $ \g -> do
    finished <- newEmptyMVar
    _ <- forkIO $ do
      replicateM_ 5 $ do
        (a, b) <- both g (yield >> pure 1) (yield >> pure 2)
        atomicModifyIORef' results (\n -> (n + a + b, ()))
        caught <- try (both g (pure ()) (yield >> throwIO Overflow))
        either (\x -> (x :: ArithException) @?= Overflow) (\((), ()) -> assertFailure "no exception") caught
      putMVar finished ()
    replicateM_ 20 (spawn g (void (compute 20)))
    takeMVar finished
  readIORef results >>= (@?= (15 :: Int))

-- | The owner waits for its second action. Of that, it executes the second action of an inner pair, and an exception is thrown to it there.
-- The inner pair's first action fails before it hears of that. (In a round in which another thread executes that action, nothing is thrown.)
ownersIsNotLost :: Assertion
ownersIsNotLost = do
  capabilities <- getNumCapabilities
  unless (capabilities == 1) (go (2000 :: Int)) -- one thread executes all
  where
    go 0 = assertFailure "the owner never executed the action"
    go n = oneRound >>= \reached -> unless reached (go (n - 1))
    oneRound = do
      stolen <- newEmptyMVar
      executes <- newEmptyMVar
      gate <- newEmptyMVar
      ended <- newEmptyMVar
      outcome <- newEmptyMVar
      thread <- forkIO $ do
        owner <- myThreadId
        found <- try . taskGroup $ \g ->
          both g (takeMVar stolen) $ do
            putMVar stolen ()
            both g (uninterruptibleMask_ (takeMVar ended >> throwIO Overflow))
              ((myThreadId >>= putMVar executes . (== owner) >> takeMVar gate) `finally` putMVar ended ())
        putMVar outcome (found :: Either SomeException ((), ((), ())))
      reached <- takeMVar executes
      if reached then throwTo thread (ExitFailure 3) else putMVar gate ()
      found <- takeMVar outcome
      when reached $ either show (const "no exception") found @?= show (ExitFailure 3)
      pure reached
