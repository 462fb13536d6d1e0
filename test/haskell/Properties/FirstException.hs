-- | The first exception ends the other bodies, whoever has thrown it, whatever its type is, and whatever they do. Each case
-- has a body that never ends by itself.
module Properties.FirstException (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import Data.Maybe (fromMaybe)
import GHC.OpenMP
import GHC.OpenMP.Task
import Properties.Helped
import System.Exit (ExitCode (..))
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "the first exception"
  [ testGroup "thrown by a body"
      [ testCase (name ++ ", by " ++ who ++ ", another " ++ does) (byBody parts loop helps other)
      | (name, parts, loop) <- loops, (who, helps) <- [("the caller's", False), ("a helper's", True)], (does, other) <- others ]
  , testGroup "thrown at the caller"
      [ testCase (name ++ ", " ++ kind ++ ", which " ++ is) (atCaller parts loop e waits)
      | (name, parts, loop) <- loops, (kind, e) <- kinds, (is, waits) <- [("executes a body", True), ("waits for a helper", False)] ]
  , testCase "a body that is ended sees TaskCancelled, and may clean up" seen
  , testCase "it does not leave its call" staysInside
  , testCase "an exception from outside is not lost beside it" notLost
  ]

newtype Own = Own Int deriving (Eq, Show)

instance Exception Own

-- | Two bodies, 0 and 1, or actions; and which of them is a helper's.
loops :: [(String, Parts, (Int -> IO ()) -> IO ())]
loops =
  [ ("parallelFor", callersPart, parallelForWith (Dynamic 1) 0 2)
  , ("parallelMapM", callersPart, \body -> void (parallelMapMWith (Dynamic 1) body [0, 1]))
  , ("parallelReduce", callersPart, parallelReduceWith (Dynamic 1) (<>) () 0 2)
  , ("both", callersPart, \body -> taskGroup (\g -> void (both g (body 0) (body 1))))
  , ("a spawned task and the group's body", callersPart, \body -> taskGroup (\g -> spawn g (body 1) >> body 0))
  , ("two spawned tasks", firstsPart, \body -> taskGroup (\g -> spawn g (body 0) >> spawn g (body 1)))
  ]

-- | Asks whether the calling thread is a helper. The caller executes this before the loop.
type Parts = IO (IO Bool)

callersPart, firstsPart :: Parts
callersPart = myThreadId >>= \caller -> pure ((/= caller) <$> myThreadId)
-- | The caller executes no body. The first thread that does has its part.
firstsPart = newIORef Nothing >>= \first -> pure (myThreadId >>= \self -> atomicModifyIORef' first (\known ->
  let it = fromMaybe self known in (Just it, it /= self)))

-- | What a body does that does not end.
others :: [(String, MVar () -> IO ())]
others =
  [ ("waits", takeMVar)
  , ("computes", const (compute 0))
  , ("waits in a loop", \never -> parallelForWith (Dynamic 1) 0 2 (\_ -> readMVar never))
  , ("waits in a group", \never -> taskGroup (\g -> spawn g (readMVar never)))
  ]
  where compute :: Integer -> IO ()
        compute n = evaluate (length (show n)) >> compute (n + 1)

kinds :: [(String, SomeException)]
kinds =
  [ ("an own type", toException (Own 1)), ("ExitFailure", toException (ExitFailure 143))
  , ("ThreadKilled", toException ThreadKilled), ("an error", toException (ErrorCall "stop")) ]

-- | Rounds until a helper has come; with one Capability, one round.
withHelper :: (IORef Bool -> IO ()) -> Assertion
withHelper action = do
  capabilities <- getNumCapabilities
  done <- timeout 60000000 . untilM $ do
    came <- newIORef (capabilities == 1)
    action came
    readIORef came
  done @?= Just ()

-- | The one body throws when the other one has begun, but not where no helper comes.
byBody :: Parts -> ((Int -> IO ()) -> IO ()) -> Bool -> (MVar () -> IO ()) -> Assertion
byBody parts loop helperThrows other = withHelper $ \came -> do
  never <- newEmptyMVar
  isHelper <- parts
  helped <- newIORef False
  open <- newIORef False
  outcome <- try . loop $ \_ -> do
    helps <- isHelper
    when helps $ writeIORef came True >> writeIORef helped True
    unless helps $ giveWay helped (1000 :: Int)
    there <- readIORef helped
    if helps == helperThrows || not there
      then when there (untilM (readIORef open)) >> throwIO (Own 2)
      else bracket_ (writeIORef open True) (writeIORef open False) (other never)
  outcome @?= Left (Own 2)
  readIORef open >>= (@?= False)
  putMVar never ()

giveWay :: IORef Bool -> Int -> IO ()
giveWay there k = readIORef there >>= \is -> unless (is || k == 0) (yield >> giveWay there (k - 1))

-- | Both bodies wait, or only that of the helper does.
atCaller :: Parts -> ((Int -> IO ()) -> IO ()) -> SomeException -> Bool -> Assertion
atCaller parts loop e callerWaits = withHelper $ \came -> do
  never <- newEmptyMVar
  begun <- newEmptyMVar
  open <- newIORef (0 :: Int)
  ended <- newEmptyMVar
  let add n = atomicModifyIORef' open (\k -> (k + n, ()))
      waits = bracket_ (add 1) (add (-1)) (void (tryPutMVar begun ()) >> readMVar never)
  target <- mask $ \restore -> forkIO $ do
    isHelper <- parts
    helped <- newIORef False
    outcome <- try . restore . loop $ \_ -> do
      helps <- isHelper
      when helps $ writeIORef came True >> writeIORef helped True
      unless helps $ giveWay helped (1000 :: Int)
      there <- readIORef helped
      when (helps || callerWaits || not there) waits
    left <- readIORef open
    putMVar ended (outcome, left)
  takeMVar begun
  throwTo target e
  (outcome, left) <- takeMVar ended
  either show (const "no exception") (outcome :: Either SomeException ()) @?= show e
  left @?= 0
  putMVar never ()

seen :: Assertion
seen = withHelper $ \came -> do
  never <- newEmptyMVar
  begun <- newIORef False
  saw <- newIORef False
  caller <- myThreadId
  helped <- newIORef False
  outcome <- try . parallelForWith (Dynamic 1) 0 2 $ \_ -> do
    helps <- (/= caller) <$> myThreadId
    if helps
      then do
        writeIORef came True >> writeIORef helped True
        (writeIORef begun True >> takeMVar never) `catch` \e -> writeIORef saw True >> throwIO (e :: TaskCancelled)
      else do
        giveWay helped 1000
        readIORef helped >>= (`when` untilM (readIORef begun))
        throwIO (Own 3)
  outcome @?= Left (Own 3)
  (,) <$> readIORef helped <*> readIORef saw >>= uncurry (@?=)
  putMVar never ()

-- | Helpers throw while the caller ends by itself. What they throw at it hits nothing that follows the loop.
staysInside :: Assertion
staysInside = forM_ [1 .. 3000 :: Int] $ \round' -> do
  caller <- myThreadId
  outcome <- try . parallelForWith (Dynamic 1) 0 8 $ \i -> do
    helps <- (/= caller) <$> myThreadId
    when helps $ replicateM_ (round' `rem` 7) yield >> throwIO (Own i)
    replicateM_ (i + round' `rem` 5) yield
  either (\(Own _) -> pure ()) pure outcome
  replicateM_ 3 yield

-- | A helper throws and another thread throws to the caller. The caller gets one of the two; if it is the helper's, the
-- other one arrives afterwards.
notLost :: Assertion
notLost = forM_ [1 .. 500 :: Int] $ \round' -> do
  ended <- newEmptyMVar
  begun <- newEmptyMVar
  never <- newEmptyMVar
  target <- mask $ \restore -> forkIO $ do
    caller <- myThreadId
    first <- try . restore . parallelForWith (Dynamic 1) 0 4 $ \i -> do
      helps <- (/= caller) <$> myThreadId
      _ <- tryPutMVar begun ()
      when helps $ replicateM_ (round' `rem` 9) yield >> throwIO (Own i)
    second <- case first of
      Left e | Just ThreadKilled <- fromException e -> pure first
      _ -> try (restore (takeMVar never))
    putMVar ended second
  takeMVar begun
  replicateM_ (round' `rem` 5) yield
  killThread target
  outcome <- takeMVar ended
  either show (const "no exception") (outcome :: Either SomeException ()) @?= "thread killed"
