-- | Task groups: every task once, results as without tasks, exceptions.
module Properties.Task (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import Data.List (insert, isInfixOf, sort)
import GHC.OpenMP.Task
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
  , testCase "the result of the body" $ taskGroup (\_ -> pure 'x') >>= (@?= 'x')
  , testCase "an exception in a task" taskThrows
  , testCase "an exception in the body" $ do
      outcome <- try (taskGroup (\g -> replicateM_ 100 (spawn g yield) >> throwIO Overflow))
      outcome @?= (Left Overflow :: Either ArithException ())
  , testCase "an exception in both is the caller's" bothThrows
  , testCase "timeout" $ timeout 20000 (taskGroup endless) >>= (@?= Nothing)
  , testCase "groups in groups" nestedGroups
  , testCase "a thread that is not of the group" stranger
  , testCase "tasks that block" blockingTasks
  , testCase "many groups at once, collections" manyGroups
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

countSpawned :: Int -> Assertion
countSpawned n = do
  ran <- newIORef 0
  taskGroup (\g -> replicateM_ n (spawn g (countUp ran)))
  readIORef ran >>= (@?= n)

-- | The group ends, nobody is left running, and tasks that had not begun are not begun.
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
  readIORef second >>= (@?= True)

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

stranger :: Assertion
stranger = do
  message <- newEmptyMVar
  taskGroup $ \g -> do
    _ <- forkIO (try (spawn g (pure ())) >>= putMVar message)
    _ <- readMVar message
    pure ()
  outcome <- takeMVar message
  case outcome of
    Left e -> assertBool (show e) ("GHC.OpenMP.spawn" `isInfixOf` show (e :: IOException))
    Right () -> assertFailure "it was accepted"

-- | Each second task waits for one that was spawned before it.
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
