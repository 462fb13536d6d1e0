-- | Exceptions thrown at random moments at the callers of loops, task groups, reductions, values and callbacks
-- and at their helpers, with collections at random moments. In each case an iteration runs at most once, bodies close what
-- they opened, nothing hangs, and a loop right afterwards gives the right result.
--
-- A crash may be GHC's own (docs/limits.md). Without this package, at -N4, 9.0.2 and 9.10.3 crash most times in
--
-- > forM_ [1 .. 3000] $ \r -> do
-- >   ended <- newEmptyMVar
-- >   target <- mask_ . forkIO $ do
-- >     _ <- try (interruptible (replicateM_ 10 performMinorGC)) :: IO (Either ErrorCall ())
-- >     uninterruptibleMask_ (putMVar ended ())
-- >   forM_ [1 .. 3] $ \k -> replicateM_ (r * k `mod` 40) yield >> forkIO (throwTo target (ErrorCall ""))
-- >   takeMVar ended
--
-- The seed decides what a round does, but not when; a failure prints its seed.
-- @INTERRUPTS_SEED@ and @INTERRUPTS_ROUNDS@ choose others.
module Properties.Interrupts (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.Bits (shiftR, xor)
import Data.IORef
import Data.List (delete)
import qualified Data.Vector.Unboxed as U
import Data.Word (Word64)
import Foreign.C.Types (CLong (..))
import Foreign.Marshal.Array (withArrayLen)
import Foreign.Ptr (FunPtr, Ptr)
import GHC.OpenMP
import GHC.OpenMP.Callback
import qualified GHC.OpenMP.Runtime as Runtime
import GHC.OpenMP.Task
import GHC.OpenMP.Vector (parallelGenerate)
import System.Environment (lookupEnv)
import System.Mem (performGC, performMinorGC)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

foreign import ccall safe "regions_each" c_each :: CLong -> FunPtr (CLong -> IO ()) -> IO ()
foreign import ccall safe "regions_sum" c_sum :: Ptr Double -> CLong -> IO Double

tests :: TestTree
tests = testGroup "interrupts"
  [ testCase name (rounds workload) | (name, workload) <-
      [ ("loops", loop), ("nested loops", nested), ("reductions", reduction), ("task groups", tasks), ("loops in task groups", loopInTasks)
      , ("values", value), ("callbacks", callbacks), ("loops that wait for ever", waitingLoop)
      , ("task groups that wait for ever", waitingTasks)
      ]
  ]

newtype Thrown = Thrown Int deriving (Show)

instance Exception Thrown where
  toException = asyncExceptionToException
  fromException = asyncExceptionFromException

-- ---------------------------------------------------------------------------------- a round

-- | What all threads of one round share.
data Round = Round
  { seed :: Word64
  , begun :: IORef (U.Vector Int)      -- ^ how often each iteration has begun
  , open :: IORef Int                  -- ^ iterations that have begun and not ended
  , targets :: MVar [ThreadId]         -- ^ the threads that execute an iteration
  , never :: MVar ()                   -- ^ filled when the round is over
  }

-- | The number of iterations; whether they wait until they are interrupted; and the action that runs them.
data Workload = Workload Int Bool (Round -> IO ())

rounds :: (Word64 -> Workload) -> Assertion
rounds workload = do
  first <- maybe 1 read <$> lookupEnv "INTERRUPTS_SEED"
  count <- maybe 30 read <$> lookupEnv "INTERRUPTS_ROUNDS"
  before <- Runtime.workers
  forM_ [first .. first + count - 1] $ \s -> do
    outcome <- timeout 60000000 (oneRound s (workload s))
    maybe (assertFailure ("seed " ++ show s ++ ": it hangs")) pure outcome
  now <- Runtime.workers
  capabilities <- getNumCapabilities
  assertBool (show now ++ " workers") (now <= max before (capabilities - 1))

oneRound :: Word64 -> Workload -> Assertion
oneRound s (Workload n waits run) = do
  r <- Round s <$> newIORef (U.replicate n 0) <*> newIORef 0 <*> newMVar [] <*> newEmptyMVar
  ended <- newEmptyMVar
  caller <- mask $ \restore -> forkIO $ do
    outcome <- try (restore (run r))
    left <- readIORef (open r)
    putMVar ended (outcome, left)
  thrower <- newEmptyMVar
  _ <- forkIO (throwing r caller >> putMVar thrower ())
  let next = timeout 20000 (readMVar ended) >>= maybe (when waits (throwTo caller (Thrown 0)) >> next) pure
  (outcome, left) <- next
  takeMVar thrower
  putMVar (never r) ()
  times <- readIORef (begun r)
  let says what = "seed " ++ show s ++ ", " ++ either (show :: SomeException -> String) (const "no exception") outcome ++ ": " ++ what
  assertBool (says "iterations twice") (U.all (<= 1) times)
  assertBool (says (show left ++ " iterations still run")) (left == 0)
  case outcome of
    Right () -> assertBool (says (show (n - U.sum times) ++ " iterations left out")) (U.all (== 1) times)
    Left e -> case fromException e of
      Just (Thrown _) -> pure ()
      Nothing -> assertFailure (says "another exception")
  allIsWell (says "")

-- | Up to three exceptions, at the caller or at a thread that executes an iteration, and collections.
throwing :: Round -> ThreadId -> IO ()
throwing r caller = forM_ [1 .. chance (seed r) 1 4] $ \k -> do
  replicateM_ (chance (seed r) (10 * k) 100) yield
  when (chance (seed r) (10 * k + 1) 2 == 0) $ threadDelay (chance (seed r) (10 * k + 2) 300)
  when (chance (seed r) (10 * k + 3) 4 == 0) performGC
      -- No thread can leave its iteration meanwhile, so the exception hits it there.
  hit <- withMVar (targets r) $ \found -> do
    let at = chance (seed r) (10 * k + 4) (1 + length found)
    when (at > 0) $ throwTo (found !! (at - 1)) (Thrown k)
    pure (at > 0)
  unless hit $ throwTo caller (Thrown k)

-- | A loop, a group and a region right afterwards must work.
allIsWell :: String -> Assertion
allIsWell says = do
  s <- parallelReduceWith (Dynamic 1) (+) 0 0 100 pure
  s @?= (4950 :: Int)
  f <- taskGroup (\g -> fib g 8)
  f @?= (21 :: Int)
  c <- withArrayLen [0 .. 99] $ \n values -> c_sum values (fromIntegral n)
  assertEqual says 4950 c
  where
    fib :: TaskGroup -> Int -> IO Int
    fib g k | k < 2 = pure k
            | otherwise = uncurry (+) <$> both g (fib g (k - 1)) (fib g (k - 2))

-- | Executes and counts iteration i.
visit :: Round -> Int -> IO a -> IO a
visit r i action = bracket enter leave (const (mark >> action))
  where
    enter = do
      self <- myThreadId
      modifyMVar_ (targets r) (pure . (self :))
      atomicModifyIORef' (open r) (\n -> (n + 1, ()))
      pure self
    leave self = atomicModifyIORef' (open r) (\n -> (n - 1, ())) >> unlist self
    unlist self = modifyMVar_ (targets r) (pure . delete self) `catch` \e -> unlist self >> throwIO (e :: SomeException)
    mark = atomicModifyIORef' (begun r) (\times -> (times U.// [(i, times U.! i + 1)], ()))

-- | Some work, of a different length in each iteration.
work :: Round -> Int -> IO ()
work r i = case chance (seed r) (1000 + i) 12 of
  0 -> yield
  1 -> threadDelay 20
  2 -> performMinorGC
  3 | i `rem` 16 == 0 -> performGC
  4 -> void (evaluate (length (show (product [1 .. 300 :: Integer]))))
  k | k < 8 -> void (evaluate (sum [i .. i + 3000]))
  _ -> pure ()

-- | A number below n that depends on the seed and the place only.
chance :: Word64 -> Int -> Int -> Int
chance s place n = fromIntegral (mixed `rem` fromIntegral n)
  where
    mixed = step (step (s * 0x9e3779b97f4a7c15 + fromIntegral place * 0xbf58476d1ce4e5b9))
    step x = let y = (x `xor` (x `shiftR` 30)) * 0xbf58476d1ce4e5b9 in y `xor` (y `shiftR` 27)

-- ---------------------------------------------------------------------------------- workloads

scheduleOf :: Word64 -> Int -> Schedule
scheduleOf s place = [Auto, Static, StaticChunk 3, Dynamic 1, Dynamic 7, Guided 2] !! chance s place 6

masked :: Word64 -> IO a -> IO a
masked s = if chance s 2 4 == 0 then mask_ else id

loop, nested, reduction, tasks, loopInTasks, value, callbacks, waitingLoop, waitingTasks :: Word64 -> Workload
loop s = Workload n False $ \r -> masked s (parallelForWith (scheduleOf s 3) 0 n (\i -> visit r i (work r i)))
  where n = 1 + chance s 4 200

nested s = Workload (n * m) False $ \r ->
  masked s $ parallelForWith (scheduleOf s 3) 0 n $ \i ->
    parallelForWith (scheduleOf s 5) 0 m $ \j -> visit r (i * m + j) (work r (i * m + j))
  where
    n = 1 + chance s 4 20
    m = 1 + chance s 6 10

reduction s = Workload n False $ \r -> do
  total <- masked s (parallelReduceWith (scheduleOf s 3) (+) 0 0 n (\i -> i <$ visit r i (work r i)))
  total @?= sum [0 .. n - 1]
  where n = 1 + chance s 4 200

-- | Divides the range by 'both' or by 'spawn'.
halves :: Round -> TaskGroup -> (Int -> IO ()) -> Int -> Int -> IO ()
halves r g body from to
  | to - from == 1 = body from
  | chance (seed r) (2000 + from) 2 == 0 = void (both g (halves r g body from middle) (halves r g body middle to))
  | otherwise = spawn g (halves r g body from middle) >> halves r g body middle to
  where middle = (from + to) `quot` 2

tasks s = Workload n False $ \r -> masked s (taskGroup (\g -> halves r g (\i -> visit r i (work r i)) 0 n))
  where n = 1 + chance s 4 200

loopInTasks s = Workload n False $ \r ->
  taskGroup $ \g -> parallelForChunksWith (scheduleOf s 3) 0 n $ \from to ->
    halves r g (\i -> visit r i (work r i)) from to
  where n = 1 + chance s 4 200

-- | An interrupted value is computed when it is demanded again.
value s = Workload 0 False $ \r -> do
  let v = parallelGenerate n (\i -> sum [i .. i + chance s i 300]) :: U.Vector Int
      right = U.generate n (\i -> sum [i .. i + chance s i 300])
  (evaluate v >> work r 1) `onException` (v @?= right)
  v @?= right
  where n = 1 + chance s 4 2000

callbacks s = Workload n False $ \r -> withCallback (\i -> visit r (fromIntegral (i :: CLong)) (work r (fromIntegral i))) (c_each (fromIntegral n))
  where n = 1 + chance s 4 100

waitingLoop s = Workload n True $ \r -> parallelForWith (scheduleOf s 3) 0 n $ \i -> visit r i $
  if chance s (3000 + i) 4 == 0 then readMVar (never r) else work r i
  where n = 4 + chance s 4 40

waitingTasks s = Workload n True $ \r -> taskGroup $ \g -> halves r g (\i -> visit r i $
  if chance s (3000 + i) 4 == 0 then readMVar (never r) else work r i) 0 n
  where n = 4 + chance s 4 40
