{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_GHC -O2 #-}

-- | Tasks with results: every law of "Control.Parallel.OpenMP.Task", and exceptions from everywhere.
module Properties.Scoped (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Control.Parallel.OpenMP.Task
import Data.Either (isLeft)
import Data.IORef
import Data.Maybe (catMaybes, isJust, isNothing)
import GHC.Clock (getMonotonicTime)
import GHC.Conc (BlockReason (..), ThreadStatus (..), threadStatus)
import GHC.OpenMP.Loop (TaskCancelled, parallelFor)
import Properties.Helped (collectsBeside, newMeeting, untilM, waitsForEver)
import System.Mem (getAllocationCounter, performMajorGC)
import System.Mem.Weak (deRefWeak)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "scoped tasks"
  [ testGroup "spawn g a >>= wait = a"
      [ testProperty "results" $ \(xs :: [Int]) -> ioProperty ((=== map (* 2) xs) <$> withTasks (\g -> mapM (spawn g . pure . (* 2)) xs >>= mapM wait))
      , testCase "results are not evaluated" $ withTasks (\g -> spawn g (pure (throw Stop :: Int)) >>= \t -> void (wait t))
      , testCase "exceptions" $ withTasks (\g -> try (spawn g (throwIO Stop) >>= wait)) >>= (@?= (Left Stop :: Either Stop ()))
      , testCase "an asynchronous exception that the task throws itself" $
          withTasks (\g -> try (spawn g (throwIO ThreadKilled) >>= wait)) >>= (@?= (Left ThreadKilled :: Either AsyncException ()))
      , testCase "masking states" $ forM_ [Unmasked, MaskedInterruptible, MaskedUninterruptible] $ \state -> do
          withTasks (\g -> inState state (spawn g getMaskingState) >>= wait) >>= (@?= state)
          inState state (withTasks (\g -> spawn g getMaskingState >>= wait)) >>= (@?= state)
      , testCase "many waiters, and again" $ do
          n <- newIORef (0 :: Int)
          found <- withTasks $ \g -> do
            t <- spawn g (atomicModifyIORef' n (\k -> (k + 1, k)))
            others <- replicateM 20 (spawn g (wait t))
            (:) <$> wait t <*> mapM wait others
          found @?= replicate 21 0
          readIORef n >>= (@?= 1)
      ]
  , testProperty "fmap" $ \(x :: Int) -> ioProperty ((=== (x + 1, x)) <$> withTasks (\g -> spawn g (pure x) >>= \t -> (,) <$> wait (fmap (+ 1) t) <*> wait t))
  , testCase "all have ended when the group has" $ forM_ [0, 1, 10, 1000] $ \n -> do
      count <- newIORef (0 :: Int)
      withTasks $ \g -> replicateM_ n (spawn g (yield >> atomicModifyIORef' count (\k -> (k + 1, ()))))
      readIORef count >>= (@?= n)
  , testCase "tasks of tasks" $ withTasks (\g -> tree g (10 :: Int)) >>= (@?= 1024)
  , testCase "tasks that spawn and do not wait" $ do
      count <- newIORef (0 :: Int)
      let grow g d = do
            atomicModifyIORef' count (\k -> (k + 1, ()))
            when (d > (0 :: Int)) $ replicateM_ 2 (spawn g (grow g (d - 1)))
      withTasks (\g -> grow g 10)
      readIORef count >>= (@?= 2047)
  , testCase "spawn_ and both" $ do
      count <- newIORef (0 :: Int)
      let fib g n = if n < 2 then pure n else uncurry (+) <$> both g (fib g (n - 1)) (fib g (n - 2)) :: IO Int
      found <- withTasks (\g -> replicateM_ 100 (spawn_ g (atomicModifyIORef' count (\k -> (k + 1, ())))) >> fib g 18)
      found @?= 2584
      readIORef count >>= (@?= 100)
  , testCase "any thread spawns and waits" $ do
      found <- withTasks $ \g -> do
        results <- newIORef []
        parallelFor 0 50 $ \i -> spawn g (pure i) >>= wait >>= \x -> atomicModifyIORef' results (\xs -> (x : xs, ()))
        done <- newEmptyMVar
        _ <- forkIO (spawn g (pure 1000) >>= wait >>= putMVar done)
        (+) <$> takeMVar done <*> (sum <$> readIORef results)
      found @?= 1000 + sum [0 .. 49]
  , testCase "n tasks that wait for each other" $ forM_ [2, 10, 300] $ \n -> do
      arrive <- newMeeting n
      withTasks (\g -> replicateM n (spawn g arrive) >>= mapM_ wait)
  , testCase "a lock over wait, which other tasks want" lockOverWait
  , testCase "poll" $ withTasks $ \g -> do
      gate <- newEmptyMVar
      t <- spawn g (takeMVar gate)
      poll t >>= assertBool "has not ended" . isNothing
      putMVar gate 'x'
      wait t >>= (@?= 'x')
      poll t >>= maybe (assertFailure "has ended") (either throwIO (@?= 'x'))
  , testGroup "cancel"
      [ testCase "a task that waits" $ withTasks $ \g -> do
          gate <- newEmptyMVar :: IO (MVar ())
          cleaned <- newIORef False
          begun <- newEmptyMVar
          t <- spawn g ((putMVar begun () >> takeMVar gate) `finally` writeIORef cleaned True)
          _ <- spawn g (wait t) >>= \other -> takeMVar begun >> cancel t >> waitCatch other
          readIORef cleaned >>= (@?= True)
          outcome <- try (wait t)
          assertBool "ended" (either (\(_ :: TaskCancelled) -> True) (const False) outcome)
          void (tryPutMVar gate ()) -- if only the task had it, a collection would say that it is blocked for ever
      , testCase "a task that has not begun never does" $ do
          ran <- newIORef (0 :: Int)
          n <- withTasks $ \g -> do
            ts <- replicateM 1000 (spawn g (atomicModifyIORef' ran (\k -> (k + 1, ()))))
            mapM_ cancel ts
            length . filter isLeft <$> mapM waitCatch ts
          k <- readIORef ran
          assertBool (show (n, k)) (n + k >= 1000 && k <= 1000) -- one that is struck at its end counts twice
      , testCase "a task that has ended" $ withTasks (\g -> spawn g (pure 'x') >>= \t -> wait t >> cancel t >> wait t) >>= (@?= 'x')
      , testCase "a cancelled task does not end the group" $ withTasks (\g -> newEmptyMVar >>= \(m :: MVar ()) -> spawn g (takeMVar m) >>= cancel)
      ]
  , testGroup "exceptions"
      [ testCase "that nobody waited for" $ forM_ [False, True] $ \late -> do
          outcome <- try $ withTasks $ \g -> do
            gate <- newEmptyMVar
            failed <- newIORef False
            _ <- spawn g (readMVar gate >> writeIORef failed True >> throwIO Stop)
            unless late $ putMVar gate () >> untilM (readIORef failed)
            when late $ void (forkIO (yield >> putMVar gate ()))
          outcome @?= Left Stop
      , testCase "of tasks that were waited for do not end the group" $ do
          n <- withTasks (\g -> replicateM 100 (spawn g (throwIO Stop)) >>= mapM waitCatch)
          length (filter isLeft (n :: [Either SomeException ()])) @?= 100
      , testCase "that one thread waits for while another one gives up" $ do
          told <- newIORef False
          withTasks $ \g -> do
            gate <- newEmptyMVar :: IO (MVar ())
            t <- spawn g (readMVar gate >> throwIO Stop :: IO ())
            other <- newEmptyMVar
            _ <- spawn g (myThreadId >>= putMVar other >> waitCatch t >>= writeIORef told . isLeft)
            void . spawn g $ do
              thread <- takeMVar other
              untilM ((== ThreadBlocked BlockedOnMVar) <$> threadStatus thread) -- else nobody waits when the task fails
              timeout 2000 (wait t) >>= (@?= Nothing)
              putMVar gate ()
          readIORef told >>= (@?= True)
      , testCase "of the body, at once" $ do
          running <- newIORef (0 :: Int)
          never <- newEmptyMVar :: IO (MVar ())
          outcome <- try $ withTasks $ \g -> do
            replicateM_ 8 (spawn g (bracket_ (add running 1) (add running (-1)) (takeMVar never)))
            untilM ((> 0) <$> readIORef running)
            throwIO Stop
          outcome @?= (Left Stop :: Either Stop ())
          readIORef running >>= (@?= 0)
          putMVar never ()
      , testCase "of spawn_, at once" $ do
          never <- newEmptyMVar :: IO (MVar ())
          outcome <- try (withTasks (\g -> spawn_ g (throwIO Stop) >> takeMVar never))
          outcome @?= Left Stop
          putMVar never ()
      , testCase "a timeout around wait strikes no task" timeoutAroundWait
      , testCase "a timeout around a group" $ do
          running <- newIORef (0 :: Int)
          never <- newEmptyMVar :: IO (MVar ())
          replicateM_ 5 $ do
            found <- timeout 20000 (withTasks (\g -> replicateM_ 8 (spawn g (bracket_ (add running 1) (add running (-1)) (takeMVar never)))))
            found @?= Nothing
            readIORef running >>= (@?= 0)
          putMVar never ()
      , testCase "a timeout around a group whose tasks catch everything" $ do
          never <- newEmptyMVar :: IO (MVar ())
          found <- timeout 20000 (withTasks (\g -> spawn g (takeMVar never) >>= \t -> void (spawn g (void (try (wait t) :: IO (Either SomeException ()))))))
          found @?= Nothing
          putMVar never ()
      , testCase "a wait that can never end" $ do
          outcome <- newEmptyMVar
          _ <- forkIO $ do
            found <- try $ withTasks $ \g -> do
              never <- newEmptyMVar :: IO (MVar ())
              spawn g (takeMVar never) >>= wait
            putMVar outcome (either (\BlockedIndefinitelyOnMVar -> True) (const False) found)
          takeMVar outcome >>= (@?= True)
      , testCase "a task that nothing wakes is left alone while its handle is held" $ do
          told <- newEmptyMVar
          outcome <- withTasks $ \g -> do
            t <- spawn g (waitsForEver told)
            collectsBeside told
            found <- poll t
            found <$ cancel t
          null outcome @?= True
      , testCase "a thread that still waits when the group is given up" $ do
          told <- newEmptyMVar
          outcome <- try $ withTasks $ \g -> do
            gate <- newEmptyMVar :: IO (MVar ())
            ts <- replicateM 600 (spawn g (takeMVar gate))
            begun <- newEmptyMVar
            _ <- forkIO (putMVar begun () >> mapM waitCatch ts >>= putMVar told . length . filter isLeft)
            takeMVar begun
            throwIO Stop
          outcome @?= (Left Stop :: Either Stop ())
          takeMVar told >>= (@?= 600)
      , testCase "of a task, and the body waits for a task that never begins" $ replicateM_ 50 (waitInVain False)
      , testCase "of a task, and the body waits for a second action that never begins" $ replicateM_ 50 (waitInVain True)
      , testCase "of a task, and of one that sees the group end" $ replicateM_ 200 throwsAfter
      ]
  , testCase "tasks begin while the body does not wait" $ forM_ [1, 2, 10, 100] $ \n -> do
      arrive <- newMeeting n
      met <- newIORef False
      withTasks (\g -> replicateM_ n (spawn g (arrive >> writeIORef met True)) >> untilM (readIORef met))
  , testProperty "programs have the outcome that they have in one thread" (withMaxSuccess 300 programs)
  , testProperty "nothing runs after a timeout" (withMaxSuccess 20 (mapSize (min 30) interruptedPrograms))
  , testCase "nothing is kept of a task that has ended but its result" kept
  , testCase "nothing is kept of tasks in a row, each waited for when the next one is there" $ keptOfARow False >> keptOfARow True
  , testCase "a task that is waited for allocates nothing but its thread" stacks
  , testCase "a task that was waited for belongs to the group when nobody waits any more" $ replicateM_ 20 belongs
  , testCase "a task is executed once, whoever comes first" executedOnce
  ]
  where
    add ref n = atomicModifyIORef' ref (\k -> (k + n, ()))

data Stop = Stop deriving (Eq, Show)

instance Exception Stop

tree :: TaskGroup s -> Int -> IO Int
tree _ 0 = pure 1
tree g d = do
  left <- spawn g (tree g (d - 1))
  right <- spawn g (tree g (d - 1))
  (+) <$> wait left <*> wait right

-- ---------------------------------------------------------------------------------- programs

data Program
  = Value Int
  | Throws Int
  | Yields Program
  | Task Program Program      -- ^ the first one as a task, the second one meanwhile
  | Both Program Program
  | Group Program             -- ^ a group of its own
  | Handles Program
  deriving Show

instance Arbitrary Program where
  arbitrary = sized go
    where
      go n | n <= 1 = frequency [(5, Value <$> arbitrary), (1, Throws <$> arbitrary)]
           | otherwise = oneof
               [Yields <$> go (n - 1), Task <$> half n <*> half n, Both <$> half n <*> half n, Group <$> go (n - 1), Handles <$> go (n - 1)]
      half n = go (n `div` 2)
  shrink p = case p of
    Value _ -> []
    Throws _ -> [Value 0]
    Yields q -> q : (Yields <$> shrink q)
    Task a b -> [a, b] ++ (Task <$> shrink a <*> pure b) ++ (Task a <$> shrink b)
    Both a b -> [a, b] ++ (Both <$> shrink a <*> pure b) ++ (Both a <$> shrink b)
    Group q -> q : (Group <$> shrink q)
    Handles q -> q : (Handles <$> shrink q)

newtype Numbered = Numbered Int deriving (Eq, Show)

instance Exception Numbered

-- | In one thread. Of two exceptions in 'Both' either may be thrown.
meaning :: Program -> [Either Int Int]
meaning p = case p of
  Value n -> [Right n]
  Throws n -> [Left n]
  Yields q -> meaning q
  Task a b -> [case (x, y) of (Right m, Right n) -> Right (m + n); (_, Left n) -> Left n; (Left n, _) -> Left n | x <- meaning a, y <- meaning b]
  Both a b -> concat [case (x, y) of
                        (Right m, Right n) -> [Right (m + n)]
                        (Left m, Left n) -> [Left m, Left n]
                        (Left m, _) -> [Left m]
                        (_, Left n) -> [Left n] | x <- meaning a, y <- meaning b]
  Group q -> meaning q
  Handles q -> map (Right . either negate id) (meaning q)

run :: (IO () -> IO ()) -> TaskGroup s -> Program -> IO Int
run step g p = case p of
  Value n -> n <$ step (pure ())
  Throws n -> throwIO (Numbered n)
  Yields q -> step yield >> run step g q
  Task a b -> do
    (y, x) <- mask $ \restore -> do
      t <- spawn g (restore (run step g a))
      restore ((,) <$> try (run step g b) <*> try (wait t)) `onException` uninterruptibleMask_ (cancel t) -- or its exception would be the group's
    either (throwIO :: Numbered -> IO Int) (\n -> either (throwIO :: Numbered -> IO Int) (pure . (+ n)) x) y
  Both a b -> uncurry (+) <$> both g (run step g a) (run step g b)
  Group q -> withTasks (\h -> run step h q)
  Handles q -> run step g q `catch` \(Numbered n) -> pure (negate n)

programs :: Program -> Property
programs p = ioProperty $ do
  outcome <- try (withTasks (\g -> run id g p))
  let found = either (\(Numbered n) -> Left n) Right outcome
      allowed = meaning p
  pure (counterexample (show found ++ " is not one of " ++ show (take 5 allowed)) (found `elem` allowed))

-- | The program ends by itself after some seconds: of two exceptions that are thrown to one thread at once GHC's RTS may lose one, and that may be
-- the timeout (docs/limits.md).
interruptedPrograms :: Program -> NonNegative (Small Int) -> Property
interruptedPrograms p (NonNegative (Small time)) = ioProperty $ do
  over <- newIORef False
  late <- newIORef (0 :: Int)
  let step action = do
        ended <- readIORef over
        when ended $ atomicModifyIORef' late (\n -> (n + 1, ()))
        action
  since <- getMonotonicTime
  let again g = getMonotonicTime >>= \now -> when (now - since < 5) (run step g (Handles p) >> again g)
  _ <- try (timeout (20 * time) (withTasks again)) :: IO (Either Numbered (Maybe ()))
  writeIORef over True
  replicateM_ 20 yield
  (=== 0) <$> readIORef late

inState :: MaskingState -> IO a -> IO a
inState state = case state of
  Unmasked -> id
  MaskedInterruptible -> mask_
  MaskedUninterruptible -> uninterruptibleMask_

lockOverWait :: Assertion
lockOverWait = do
  lock <- newMVar (0 :: Int)
  withTasks $ \g -> do
    others <- replicateM 300 (spawn g (modifyMVar_ lock (pure . (+ 1))))
    forM_ [1 .. 100 :: Int] $ \i -> do
      t <- spawn g (pure i)
      found <- withMVar lock (\_ -> wait t)
      found @?= i
    mapM_ wait others
  takeMVar lock >>= (@?= 300)

-- | The task goes on, and a later wait has its result.
timeoutAroundWait :: Assertion
timeoutAroundWait = do
  found <- withTasks $ \g -> do
    gate <- newEmptyMVar
    ts <- replicateM 5 (spawn g (takeMVar gate))
    forM_ ts $ \t -> timeout 2000 (wait t) >>= (@?= Nothing)
    mapM_ (putMVar gate) [1 .. 5 :: Int]
    sum <$> mapM wait ts
  found @?= 15

-- | A thread of the program waits for a task that has not begun when the group is given up, and never does. What it gets, the
-- body throws, before anything else strikes the body. It is no failure: the group throws that of the task that failed. (A helper may have
-- begun the task before.)
waitInVain :: Bool -> Assertion
waitInVain isSecond = do
  told <- newEmptyMVar
  failsWhile (pure ()) (\g posted -> try (waits g posted) >>= putMVar told) $ \_ ->
    uninterruptibleMask_ (takeMVar told >>= either (throwIO :: SomeException -> IO ()) pure)
  where
    waits :: TaskGroup s -> IO (Task s ()) -> IO ()
    waits g posted
      | isSecond = void (both g (posted >>= untilEnded) (pure ()))
      | otherwise = posted >>= \t -> untilEnded t >> wait t

-- | Another task of the group throws an exception because of the first one.
throwsAfter :: Assertion
throwsAfter = do
  told <- newEmptyMVar
  begun <- newEmptyMVar
  failsWhile (takeMVar begun) (\_ posted -> posted >>= untilEnded >> putMVar told ()) $ \g ->
    spawn_ g (uninterruptibleMask_ (putMVar begun () >> takeMVar told >> throwIO Overflow))

-- | A group with this body throws 'Stop', because a task does: when the first action has ended there, and then another thread, which is none of the
-- group's, has posted a task in the second one.
failsWhile :: IO () -> (forall s. TaskGroup s -> IO (Task s ()) -> IO ()) -> (forall s. TaskGroup s -> IO ()) -> Assertion
failsWhile ready elsewhere body = do
  never <- newEmptyMVar
  outcome <- try $ withTasks $ \g -> do
    spawn_ g $ do
      ready
      posted <- newEmptyMVar
      _ <- forkIO (elsewhere g (spawn g (readMVar never) <* putMVar posted ()))
      takeMVar posted
      throwIO Stop
    body g
  either show (const "no exception") (outcome :: Either SomeException ()) @?= show Stop
  putMVar never ()

untilEnded :: Task s a -> IO ()
untilEnded t = untilM (isJust <$> poll t)

kept :: Assertion
kept = withTasks $ \g -> do
  (weak, t) <- makeTask g
  wait t >>= (@?= 7)
  let free k = performMajorGC >> deRefWeak weak >>= \alive -> if null (catMaybes [alive]) || k == (0 :: Int) then pure k else yield >> free (k - 1)
  k <- free 100
  assertBool "what the action referred to is alive" (k > 0)
  wait t >>= (@?= 7)
  where
    makeTask g = do
      big <- newIORef (7 :: Int)
      weak <- mkWeakIORef big (pure ())
      t <- spawn g (readIORef big)
      pure (weak, t)

-- | By a member, whose tasks are in a deque, and by another thread.
keptOfARow :: Bool -> Assertion
keptOfARow outside = withTasks $ \g -> do
  weaks <- newIORef []
  let row = spawnOne g weaks >>= go g weaks (1000 :: Int)
  if outside then newEmptyMVar >>= \done -> forkIO (row >>= putMVar done) >> takeMVar done else row
  ws <- readIORef weaks
  let alive k = performMajorGC >> length . catMaybes <$> mapM deRefWeak ws >>= \n -> if n < 300 || k == (0 :: Int) then pure n else yield >> alive (k - 1)
  n <- alive 100
  assertBool (show n ++ " of 1001 are alive") (n < 300)
  where
    go g _ 0 t = wait t >>= \x -> void (spawn g (pure ())) >> void (evaluate (x + 1))
    go g weaks k t = spawnOne g weaks >>= \t' -> wait t >> go g weaks (k - 1) t'
    spawnOne g weaks = do
      big <- newIORef (7 :: Int)
      weak <- mkWeakIORef big (pure ())
      modifyIORef' weaks (weak :)
      spawn g (readIORef big)

-- | The first piece of a thread's stack is small, and the next one has 32 KB. A task that waits for another one gets on with the first.
stacks :: Assertion
stacks = do
  allocated <- withTasks $ \g -> replicateM 100 $ wait =<< spawn g (do
    atFirst <- getAllocationCounter
    spawn g (pure ()) >>= wait
    atLast <- getAllocationCounter
    pure (atFirst - atLast))
  assertBool (show (minimum allocated)) (minimum allocated < 8000)

-- | The tasks are where any thread finds them, and two threads wait for each.
executedOnce :: Assertion
executedOnce = do
  counts <- replicateM 200 (newIORef (0 :: Int))
  withTasks $ \g -> do
    done <- newEmptyMVar
    _ <- forkIO $ do
      ts <- mapM (\c -> spawn g (atomicModifyIORef' c (\n -> (n + 1, ())))) counts
      others <- newEmptyMVar
      _ <- forkIO (mapM_ wait (reverse ts) >> putMVar others ())
      mapM_ wait ts
      takeMVar others
      putMVar done ()
    takeMVar done
  mapM readIORef counts >>= (@?= map (const 1) counts)

-- | The task begins on a thread of its own, if no helper is faster, and creates another one when the group's body has ended.
belongs :: Assertion
belongs = do
  found <- newIORef (0 :: Int)
  withTasks $ \g -> do
    begun <- newEmptyMVar
    gate <- newEmptyMVar
    t <- spawn g (putMVar begun () >> takeMVar gate >> spawn g (pure 7) >>= wait >>= writeIORef found)
    waiter <- forkIO (wait t)
    takeMVar begun
    killThread waiter
    owner <- myThreadId
    void (forkIO (untilM ((== ThreadBlocked BlockedOnMVar) <$> threadStatus owner) >> putMVar gate ()))
  readIORef found >>= (@?= 7)
