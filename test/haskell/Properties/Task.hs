-- | Task groups: every task runs once, results equal those without tasks, exceptions arrive.
module Properties.Task (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import Data.List (insert, isInfixOf, sort)
import GHC.Conc (BlockReason (..), ThreadStatus (..), threadStatus)
import GHC.OpenMP.Loop
import GHC.OpenMP.Refusal
import GHC.OpenMP.Task
import Properties.Helped
import System.Mem (performGC)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "task"
  [ testCase "fib" $ taskGroup (\g -> fib g 20) >>= (@?= 6765)
  , testProperty "merge sort" $ \xs -> ioProperty ((=== sort xs) <$> taskGroup (\g -> mergeSort g xs))
  , testCase "a tree of spawned tasks, each once" spawnTree
  , testCase "more tasks than a deque holds" $ countSpawned 5000
  , testCase "the body waits for more tasks than a deque holds" bodyWaits
  , testCase "the result of the body" $ taskGroup (\_ -> pure 'x') >>= (@?= 'x')
  , testCase "an exception in a task" taskThrows
  , testCase "an exception in the body" $ do
      outcome <- try (taskGroup (\g -> replicateM_ 100 (spawn g yield) >> throwIO Overflow))
      outcome @?= (Left Overflow :: Either ArithException ())
  , testCase "an exception in both is the caller's" bothThrows
  , testCase "timeout" $ timeout 20000 (taskGroup endless) >>= (@?= Nothing)
  , testCase "groups in groups" nestedGroups
  , testCase "any thread spawns while the group runs" anyThread
  , testCase "a group that has ended refuses" endedGroup
  , testCase "spawn and both in a loop in a group" loopInGroup
  , testCase "spawn and both in a loop's helper" helperInGroup
  , testCase "tasks that block" blockingTasks
  , testCase "timeout where tasks wait" timeoutWaiting
  , testCase "timeout on tasks without end" timeoutEndless
  , testCase "tasks that wait for what cannot come" blockedForEver
  , testCase "timeout in a task is the task's own" timeoutInside
  , testCase "a spawned task's exception is the group's" notTheHandlers
  , testCase "what is thrown to the owner after the body strikes no task" strikesNoTask
  , testCase "an exception in the task that the owner sleeps for" $
      forM_ [\e _ -> throwIO e, \e wait -> myThreadId >>= \self -> forkIO (throwTo self e) >> wait] ownerSleeps
  , testCase "many groups at once, collections" manyGroups
  , testCase "a second task with younger ones above it" tasksAbove
  , testCase "tasks have the masking state of who creates them, whoever runs them" maskingStates
  , testCase "an exception does not reach a second task in uninterruptibleMask" uninterruptible
  ]

fib :: TaskGroup -> Int -> IO Int
fib g n
  | n < 2 = pure n
  | otherwise = uncurry (+) <$> both g (fib g (n - 1)) (fib g (n - 2))

mergeSort :: TaskGroup -> [Int] -> IO [Int]
mergeSort _ xs | length xs < 4 = evaluate (foldr insert [] xs)
mergeSort g xs = uncurry merge <$> both g (mergeSort g left) (mergeSort g right)
  where
    (left, right) = splitAt (length xs `quot` 2) xs
    merge (a : as) (b : bs) | a <= b = a : merge as (b : bs)
                            | otherwise = b : merge (a : as) bs
    merge as bs = as ++ bs

countUp :: IORef Int -> IO ()
countUp ref = atomicModifyIORef' ref (\n -> (n + 1, ()))

spawnTree :: Assertion
spawnTree = do
  nodes <- newIORef 0
  let node g depth = do
        countUp nodes
        when (depth > 0) $ replicateM_ 3 (spawn g (node g (depth - 1)))
  taskGroup (\g -> node g (7 :: Int))
  readIORef nodes >>= (@?= sum [3 ^ k | k <- [0 .. 7 :: Int]])

-- | A helper executes them all. It is there, in a task, before they are spawned. (If none comes in time, the body does not wait:
-- alone, it must not.)
bodyWaits :: Assertion
bodyWaits = do
  left <- newIORef (3000 :: Int)
  done <- newEmptyMVar
  go <- newEmptyMVar
  there <- newIORef False
  owner <- myThreadId
  taskGroup $ \g -> do
    spawn g $ do
      self <- myThreadId
      unless (self == owner) (writeIORef there True >> takeMVar go)
    giveWay there (100000 :: Int)
    helped <- readIORef there
    replicateM_ 3000 . spawn g $ do
      n <- atomicModifyIORef' left (\n -> (n - 1, n - 1))
      when (n == 0) (putMVar done ())
    putMVar go ()
    when helped (takeMVar done)
  readIORef left >>= (@?= 0)
  where giveWay there k = readIORef there >>= \is -> unless (is || k == 0) (yield >> giveWay there (k - 1))

countSpawned :: Int -> Assertion
countSpawned n = do
  ran <- newIORef 0
  taskGroup (\g -> replicateM_ n (spawn g (countUp ran)))
  readIORef ran >>= (@?= n)

-- | The group ends, no task is left running, and tasks that had not begun never begin.
taskThrows :: Assertion
taskThrows = do
  running <- newIORef (0 :: Int)
  outcome <- try $ taskGroup $ \g -> forM_ [1 .. 1000 :: Int] $ \i -> spawn g $
    bracket_ (atomicModifyIORef' running (\n -> (n + 1, ()))) (atomicModifyIORef' running (\n -> (n - 1, ())))
      (when (i == 700) (throwIO Overflow) >> yield)
  outcome @?= (Left Overflow :: Either ArithException ())
  readIORef running >>= (@?= 0)

bothThrows :: Assertion
bothThrows = forM_ [False, True] $ \inFirst -> do
  second <- newIORef False
  outcome <- taskGroup $ \g -> do
    caught <- try $ both g (when inFirst (throwIO Overflow)) $ do
      writeIORef second True
      unless inFirst (throwIO Overflow)
    later <- fib g 10 -- the group goes on
    pure (either (\e -> const later (e :: ArithException)) (const 0) caught)
  outcome @?= 55
  began <- readIORef second
  unless inFirst (began @?= True) -- if the first throws, the second may not begin

endless :: TaskGroup -> IO ()
endless g = do
  _ <- both g (endless g) (fib g 12)
  pure ()

nestedGroups :: Assertion
nestedGroups = do
  sums <- taskGroup $ \outer -> do
    cells <- replicateM 8 (newIORef 0)
    forM_ cells $ \cell -> spawn outer (taskGroup (\inner -> fib inner 12) >>= writeIORef cell)
    pure cells
  mapM readIORef sums >>= (@?= replicate 8 144)

-- | A group executes each accepted task before it ends, and refuses later ones.
anyThread :: Assertion
anyThread = do
  ran <- newIORef 0
  counts <- replicateM 4 newEmptyMVar
  begun <- newEmptyMVar
  taskGroup $ \g -> do
    forM_ counts $ \count -> forkIO $ do
      let go 2000 = putMVar count 2000
          go n = try (spawn g (countUp ran)) >>= either (refusal n) (const (when (n == 20) (putMVar begun ()) >> go (n + 1)))
          refusal :: Int -> BadArgument -> IO ()
          refusal n _ = putMVar count n
      go 0
    replicateM_ (length counts) (takeMVar begun)
  now <- readIORef ran
  accepted <- sum <$> mapM takeMVar counts
  now @?= accepted
  readIORef ran >>= (@?= accepted)

endedGroup :: Assertion
endedGroup = do
  old <- taskGroup pure
  ran <- newIORef 0
  refused "GHC.OpenMP.Task.spawn" (spawn old (countUp ran))
  refused "GHC.OpenMP.Task.both" (void (both old (countUp ran) (countUp ran)))
      -- The exception does not reach another group either, of this thread or in its tasks.
  replicateM_ 100 $ taskGroup $ \g -> do
    spawn g (refused "GHC.OpenMP.Task.spawn" (spawn old (countUp ran)))
    refused "GHC.OpenMP.Task.spawn" (spawn old (countUp ran))
  readIORef ran >>= (@?= 0)
  failed <- newIORef Nothing
  _ <- try (taskGroup (\g -> writeIORef failed (Just g) >> throwIO Overflow)) :: IO (Either ArithException ())
  readIORef failed >>= mapM_ (\g -> refused "GHC.OpenMP.Task.spawn" (spawn g (pure ())))
  where
    refused name action = try action >>= either (\e -> assertBool (show e) (all (`isInfixOf` show (e :: BadArgument)) [name, "Properties/Task.hs"]))
      (const (assertFailure "it was accepted"))

loopInGroup :: Assertion
loopInGroup = forM_ [1 .. 50 :: Int] $ \_ -> do
  ran <- newIORef 0
  sums <- newIORef (0 :: Int)
  taskGroup $ \g -> parallelForWith (Dynamic 1) 0 64 $ \i -> do
    _ <- evaluate (sum [i .. i + 500])
    spawn g (countUp ran >> spawn g (countUp ran))
    (x, y) <- both g (pure i) (fib g 5)
    atomicModifyIORef' sums (\s -> (s + x + y, ()))
  readIORef ran >>= (@?= 128)
  readIORef sums >>= (@?= sum [0 .. 63] + 64 * 5)

helperInGroup :: Assertion
helperInGroup = replicateM_ 20 $ untilM $ do
  ran <- newIORef 0
  wasHelped <- taskGroup $ \g -> isHelped $ \_ -> do
    spawn g (countUp ran >> spawn g (countUp ran))
    both g (pure 1) (fib g 5) >>= (@?= (1 :: Int, 5))
  readIORef ran >>= (@?= 8)
  pure wasHelped

timeoutWaiting :: Assertion
timeoutWaiting = do
  never <- newEmptyMVar
  open <- newIORef (0 :: Int)
  let add n = atomicModifyIORef' open (\k -> (k + n, ()))
      waits = bracket_ (add 1) (add (-1)) (takeMVar never)
  timeout 20000 (taskGroup (\g -> replicateM_ 8 (spawn g waits))) >>= (@?= Nothing)
  readIORef open >>= (@?= 0)
  timeout 20000 (taskGroup (\g -> void (both g waits (void (both g waits waits))))) >>= (@?= Nothing)
  readIORef open >>= (@?= 0)
  putMVar never ()

timeoutEndless :: Assertion
timeoutEndless = do
  let grow g = spawn g (grow g) >> spawn g (grow g)
      deepen g = void (both g (deepen g) (deepen g))
  timeout 20000 (taskGroup grow) >>= (@?= Nothing)
  timeout 20000 (taskGroup deepen) >>= (@?= Nothing)

blockedForEver :: Assertion
blockedForEver = forM_ [spawned, second, first] $ \wait -> do
  result <- newEmptyMVar
  -- No reference to the thread exists, because a thread that has one could still throw to it.
  _ <- forkIO (try (newEmptyMVar >>= \never -> taskGroup (wait never)) >>= putMVar result)
  outcome <- takeMVar result
  either (\BlockedIndefinitelyOnMVar -> True) (const False) outcome @?= True
  where
    spawned never g = replicateM_ 4 (spawn g (takeMVar never))
    second never g = void (both g (fib g 5) (takeMVar never))
    first never g = void (both g (takeMVar never) (fib g 5))

timeoutInside :: Assertion
timeoutInside = do
  never <- newEmptyMVar
  ran <- newIORef 0
  results <- taskGroup $ \g -> do
    replicateM_ 20 (spawn g (countUp ran))
    replicateM 3 (timeout 5000 (both g (takeMVar never) (pure ())))
  results @?= replicate 3 (Nothing :: Maybe ((), ()))
  readIORef ran >>= (@?= 20)
  putMVar never ()

-- | A thread that executes the task while it waits for something else must not catch the exception.
notTheHandlers :: Assertion
notTheHandlers = do
  outcome <- try $ taskGroup $ \g -> do
    _ <- try (both g (spawn g (throwIO Overflow)) (pure ())) :: IO (Either ArithException ((), ()))
    pure ()
  outcome @?= (Left Overflow :: Either ArithException ())

-- | Each task catches everything and goes on. So it must not get what was thrown to the owner, which would be lost. (If one does, all
-- tasks end.)
strikesNoTask :: Assertion
strikesNoTask = forM_ [spawned, pairs, nested] $ \tasks -> forM_ [timedOut, ownType, killed] $ \interrupted -> do
  never <- newEmptyMVar
  caught <- newIORef []
  let swallows = readMVar never `catch` \e -> atomicModifyIORef' caught (\es -> (e : es, ())) >> void (tryPutMVar never ())
  interrupted (taskGroup (\g -> replicateM_ 3 (spawn g (tasks g swallows))))
  found <- readIORef caught
  [show e | e <- found, isForeign e] @?= []
  void (tryPutMVar never ())
  where
    spawned _ action = action
    pairs g action = void (both g action action)
    nested _ action = taskGroup (\g -> spawn g action >> action)
    isForeign e = maybe True (\it -> const False (it :: TaskCancelled)) (fromException e)
    timedOut group = timeout 20000 group >>= (@?= Nothing)
    ownType group = do
      self <- myThreadId
      _ <- forkIO (threadDelay 20000 >> throwTo self Overflow)
      try group >>= (@?= Left Overflow)
    killed group = do
      ended <- newEmptyMVar
      thread <- forkIO (try group >>= putMVar ended)
      threadDelay 20000
      killThread thread
      takeMVar ended >>= (@?= Left ThreadKilled)

-- | Another thread executes the only task, and ends it when the owner sleeps.
ownerSleeps :: (ArithException -> IO () -> IO ()) -> Assertion
ownerSleeps end = do
  never <- newEmptyMVar
  outcome <- timeout 60000000 . try $ do
    owner <- myThreadId
    taskGroup (\g -> spawn g (untilAsleep owner >> end Overflow (takeMVar never)))
  outcome @?= Just (Left Overflow)
  putMVar never ()
  where
    untilAsleep thread = threadStatus thread >>= \status ->
      unless (status == ThreadBlocked BlockedOnMVar) (yield >> untilAsleep thread)

-- | Each second task waits for a task that was spawned before it.
blockingTasks :: Assertion
blockingTasks = do
  boxes <- replicateM 20 newEmptyMVar
  done <- newIORef 0
  taskGroup $ \g -> forM_ boxes $ \box -> do
    spawn g (takeMVar box >> countUp done)
    void (both g (threadDelay 50) (putMVar box ()))
  readIORef done >>= (@?= 20)

manyGroups :: Assertion
manyGroups = do
  results <- forM [1 .. 50 :: Int] $ \k -> do
    box <- newEmptyMVar
    _ <- forkIO (taskGroup (\g -> when (k `rem` 10 == 0) performGC >> fib g (8 + k `rem` 6)) >>= putMVar box)
    pure box
  found <- mapM takeMVar results
  found @?= [plain (8 + k `rem` 6) | k <- [1 .. 50]]
  where
    plain :: Int -> Int
    plain n = if n < 2 then n else plain (n - 1) + plain (n - 2)

-- | The second task of 'both' is not the youngest when its turn comes: the owner must not mix it up with younger ones.
tasksAbove :: Assertion
tasksAbove = do
  outers <- newIORef 0
  lefts <- newIORef 0
  laters <- newIORef 0
  never <- newEmptyMVar
  let later = countUp laters
  taskGroup $ \g -> replicateM_ 50 $ do
    void (both g (spawn g later) (countUp outers))
    void (both g (timeout 100 (both g (takeMVar never) (countUp lefts)) >> spawn g later >> spawn g later) (countUp outers))
  putMVar never ()
  (,) <$> readIORef outers <*> readIORef laters >>= (@?= (100, 150))
  readIORef lefts >>= \n -> assertBool (show n) (n <= 50)

maskingStates :: Assertion
maskingStates = forM_ states $ \(outer, group) -> forM_ states $ \(inner, own) -> replicateM_ 20 $ do
  found <- newIORef []
  let note = getMaskingState >>= \s -> atomicModifyIORef' found (\seen -> (s : seen, ()))
  outer . taskGroup $ \g -> inner $ do
    _ <- both g (note >> yield) note
    replicateM_ 3 (spawn g note)
  readIORef found >>= (@?= replicate 5 (stricter group own))
  where
    states :: [(IO () -> IO (), MaskingState)]
    states = [(id, Unmasked), (mask_, MaskedInterruptible), (uninterruptibleMask_, MaskedUninterruptible)]
    -- mask_ in uninterruptibleMask_ changes nothing.
    stricter a b = if rank a >= rank b then a else b
    rank :: MaskingState -> Int
    rank s = case s of Unmasked -> 0; MaskedInterruptible -> 1; MaskedUninterruptible -> 2

uninterruptible :: Assertion
uninterruptible = do
  acquired <- newIORef (0 :: Int)
  released <- newIORef (0 :: Int)
  begun <- newEmptyMVar
  ended <- newEmptyMVar
  target <- mask $ \restore -> forkIO $ do
    outcome <- try . restore . taskGroup $ \g -> uninterruptibleMask_ $ do
      _ <- both g (pure ()) (countUp acquired >> putMVar begun () >> replicateM_ 200 yield)
      countUp released
    putMVar ended (outcome :: Either SomeException ())
  takeMVar begun
  killThread target
  _ <- takeMVar ended
  (,) <$> readIORef acquired <*> readIORef released >>= (@?= (1, 1))
