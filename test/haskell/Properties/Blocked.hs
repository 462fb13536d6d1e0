-- | Bodies that are blocked give their place away: as many make progress as there are.
module Properties.Blocked (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import GHC.OpenMP
import GHC.OpenMP.Task
import Properties.Helped (newMeeting)
import System.Exit (ExitCode (..))
import System.Posix.Process (ProcessStatus (..), exitImmediately, forkProcess, getProcessStatus)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "blocked bodies"
  [ testGroup "bodies that wait for each other"
      [ testCase (name ++ ", " ++ show n) (meet loop n) | (name, loop) <- loops, n <- [2, 3, 17, 100, 1000] ]
  , testCase "loops of several threads at once" severalThreads
  , testCase "loops in bodies" nested
  , testCase "a transaction, a lock and a delay" otherWaits
  , testCase "short bodies before those that wait" afterShortOnes
  , testCase "the last body fails while all others wait" failure
  , testCase "in a forked child: all bodies fail at once, after a loop that could not be interrupted" allFail
  , testCase "timeout while stand-ins wait" interrupted
  , testCase "no body begins while another one runs" boundedWhileOneRuns
  , testCase "a group's body waits for its task" bodyWaits
  , testCase "tasks of forked threads" fromOutside
  , testCase "a group that waits for something else goes on" goesOn
  , testCase "a very long loop, whose chunks are handed out in slices" slices
  , testCase "in a forked child" forked
  , testCase "the masking state is the caller's" masking
  ]

loops :: [(String, Int -> (Int -> IO ()) -> IO ())]
loops =
  [ ("parallelFor", parallelFor 0)
  , ("Static", parallelForWith Static 0)
  , ("StaticChunk 3", parallelForWith (StaticChunk 3) 0)
  , ("Dynamic 1", parallelForWith (Dynamic 1) 0)
  , ("Guided 2", parallelForWith (Guided 2) 0)
  , ("parallelMapM", \n body -> void (parallelMapM body [0 .. n - 1]))
  , ("spawned tasks", \n body -> taskGroup (\g -> mapM_ (spawn g . body) [0 .. n - 1]))
  , ("tasks that spawn", \n body -> taskGroup (\g -> let go i = when (i < n) (spawn g (go (i + 1)) >> body i) in go 0))
  , ("pairs", \n body -> taskGroup (\g -> let go a b = if b - a < 2 then body a else
                                                 void (both g (go a (a + (b - a) `div` 2)) (go (a + (b - a) `div` 2) b)) in go 0 n))
  , ("parallelReduce", \n body -> parallelReduceWith (Dynamic 1) (<>) () 0 n body)
  ]

meet :: (Int -> (Int -> IO ()) -> IO ()) -> Int -> IO ()
meet loop n = do
  counts <- replicateM n (newIORef (0 :: Int))
  arrive <- newMeeting n
  loop n (\i -> modifyIORef' (counts !! i) (+ 1) >> arrive)
  mapM readIORef counts >>= (@?= replicate n 1)

severalThreads :: IO ()
severalThreads = do
  arrive <- newMeeting 60
  done <- forM [1 .. 6 :: Int] $ \_ -> do
    end <- newEmptyMVar
    end <$ forkIO (parallelFor 0 10 (const arrive) >> putMVar end ())
  mapM_ takeMVar done

nested :: IO ()
nested = do
  arrive <- newMeeting 36
  parallelFor 0 6 (\_ -> parallelFor 0 6 (const arrive))

otherWaits :: IO ()
otherWaits = do
  came <- newMVar (0 :: Int)
  lock <- newMVar ()
  let body i = do
        modifyMVar_ came (pure . (+ 1))
        case i `rem` 3 of
          0 -> withMVar lock (\() -> pure ())
          1 -> wait 100000
          _ -> yield
      wait :: Int -> IO ()
      wait k = do
        n <- readMVar came
        unless (n == 40 || k == 0) (threadDelay 100 >> wait (k - 1))
  parallelForWith (Dynamic 1) 0 40 body
  readMVar came >>= (@?= 40)

afterShortOnes :: IO ()
afterShortOnes = do
  arrive <- newMeeting 20
  parallelFor 0 100000 (\i -> when (i `rem` 5000 == 4999) arrive)

newtype Stop = Stop Int deriving (Eq, Show)

instance Exception Stop

failure :: IO ()
failure = do
  never <- newEmptyMVar
  began <- newIORef (0 :: Int)
  ended <- newIORef (0 :: Int)
  outcome <- try $ parallelForWith (Dynamic 1) 0 30 $ \_ -> mask_ $ do -- masked, so that each that has begun is counted
    k <- atomicModifyIORef' began (\c -> (c + 1, c + 1))
    if k == 30 then throwIO (Stop 1) else takeMVar never `onException` atomicModifyIORef' ended (\c -> (c + 1, ()))
  outcome @?= Left (Stop 1)
  readIORef ended >>= (@?= 29)
  putMVar never ()

interrupted :: IO ()
interrupted = do
  never <- newEmptyMVar
  began <- newIORef (0 :: Int)
  ended <- newIORef (0 :: Int)
  all' <- newEmptyMVar
  caller <- newEmptyMVar
  outcome <- newEmptyMVar
  _ <- forkIO $ do
    myThreadId >>= putMVar caller
    r <- try $ parallelForWith (Dynamic 1) 0 30 $ \_ -> mask_ $ do
      k <- atomicModifyIORef' began (\c -> (c + 1, c + 1))
      when (k == 30) (putMVar all' ())
      takeMVar never `onException` atomicModifyIORef' ended (\c -> (c + 1, ()))
    putMVar outcome r
  takeMVar all'
  takeMVar caller >>= killThread
  takeMVar outcome >>= (@?= Left ThreadKilled)
  readIORef ended >>= (@?= 30)
  putMVar never ()

-- | While a body of the loop runs, the others that wait for it keep their places: a loop does not open all its files because one
-- of them is slow.
boundedWhileOneRuns :: IO ()
boundedWhileOneRuns = do
  capabilities <- getNumCapabilities
  began <- newIORef (0 :: Int)
  go <- newEmptyMVar
  r <- timeout 10000000 $ parallelForWith (Dynamic 1) 0 1000 $ \_ -> do
    k <- atomicModifyIORef' began (\c -> (c + 1, c + 1))
    if k > 1 then readMVar go else do
      compute 200000
      seen <- readIORef began
      putMVar go ()
      assertBool (show seen ++ " bodies have begun") (seen <= 2 * capabilities)
  r @?= Just ()
  where compute :: Int -> IO ()
        compute n = forM_ [1 .. n] (\i -> evaluate (length (show i)))

bodyWaits :: IO ()
bodyWaits = forM_ [1 .. 30 :: Int] $ \_ -> do
  n <- taskGroup $ \g -> do
    box <- newEmptyMVar
    spawn g (putMVar box 1)
    a <- takeMVar box
    (b, ()) <- both g (takeMVar box) (putMVar box 2)
    pure (a + b)
  n @?= (3 :: Int)

fromOutside :: IO ()
fromOutside = do
  arrive <- newMeeting 30
  taskGroup $ \g -> do
    done <- forM [1 .. 3 :: Int] $ \_ -> do
      end <- newEmptyMVar
      end <$ forkIO (replicateM_ 10 (spawn g arrive) >> putMVar end ())
    mapM_ takeMVar done

-- | Nothing is to be done in the group for a while. Then a task is spawned that the group's body waits for, and it is watched again.
goesOn :: IO ()
goesOn = forM_ [1, 100, 3000, 30000] $ \pause -> do
  go <- newEmptyMVar
  _ <- forkIO (threadDelay pause >> putMVar go ())
  taskGroup $ \g -> do
    box <- newEmptyMVar
    takeMVar go
    spawn g (putMVar box ())
    takeMVar box
    threadDelay pause
    spawn g (spawn g (putMVar box ()) >> takeMVar box)

-- | The first bodies wait for each other; of these iterations none is left out.
slices :: IO ()
slices = do
  counts <- replicateM 100 (newIORef (0 :: Int))
  arrive <- newMeeting 100
  met <- newEmptyMVar
  outcome <- try $ parallelForWith (Dynamic 3) 0 20000000000 $ \i -> if i < 100
    then modifyIORef' (counts !! i) (+ 1) >> arrive >> void (tryPutMVar met ())
    else readMVar met >> throwIO (Stop 0)
  outcome @?= Left (Stop 0)
  mapM readIORef counts >>= (@?= replicate 100 1)

-- | The thread that watches does not exist there.
forked :: IO ()
forked = do
  meet (parallelFor 0) 10
  child <- forkProcess $ do
    forM_ (map snd loops) (`meet` 20)
    exitImmediately ExitSuccess
  getProcessStatus True False child >>= (@?= Just (Exited ExitSuccess))

-- | The first loop of a process begins the thread that looks after blocked bodies.
allFail :: IO ()
allFail = do
  child <- forkProcess $ do
    _ <- forkIO (threadDelay 60000000 >> exitImmediately (ExitFailure 2))
    uninterruptibleMask_ (meet (parallelFor 0) 10)
    replicateM_ 5 $ do
      start <- newEmptyMVar
      arrive <- newMeeting 5
      _ <- forkIO (arrive >> putMVar start ())
      outcome <- try (parallelFor 0 4 (\_ -> arrive >> readMVar start >> throwIO Overflow))
      unless (outcome == Left Overflow) (exitImmediately (ExitFailure 1))
    exitImmediately ExitSuccess
  getProcessStatus True False child >>= (@?= Just (Exited ExitSuccess))

masking :: IO ()
masking = do
  arrive <- newMeeting 10
  forM_ [(id, Unmasked), (mask_, MaskedInterruptible)] $ \(around, expected) -> do
    states <- newIORef []
    around $ parallelForWith (Dynamic 1) 0 10 $ \_ -> do
      arrive
      s <- getMaskingState
      atomicModifyIORef' states (\ss -> (s : ss, ()))
    readIORef states >>= (@?= replicate 10 expected)
