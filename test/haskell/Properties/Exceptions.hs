-- | What happens to a loop when a body throws, or another thread throws at the loop's caller.
module Properties.Exceptions (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import GHC.Conc (BlockReason (..), ThreadStatus (..), threadStatus)
import GHC.OpenMP.Loop
import GHC.OpenMP.Reduce
import Properties.Helped
import Properties.Schedules
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "exceptions"
  [ testCase "an exception arrives, and everybody is quiet" arrives
  , testCase "it stops the loop" stops
  , testCase "every body throws: one arrives" everyBody
  , testCase "timeout on a running loop" timeoutWorks
  , testCase "killThread on a running loop" killWorks
  , testCase "an exception out of a nested loop" fromNested
  , testCase "timeout where every body waits" timeoutWaiting
  , testCase "killThread where every body waits" killWaiting
  , testCase "timeout after a body has thrown and another waits" timeoutAfterThrow
  , testCase "a second exception while helpers clean up" secondException
  , testCase "bodies that wait for what cannot come" blockedForEver
  , testCase "one body that waits for what cannot come" oneBlockedForEver
  , testCase "an endless range is in chunks of the usual size" endlessRange
  , testCase "the masking state is kept" masking
  , testCase "and is the bodies', whoever runs them" maskingOfHelpers
  , testCase "a helper that two exceptions hit helps again" hitTwice
  , testCase "a loop under uninterruptibleMask is whole" uninterruptible
  , testCase "loops work after all of this" afterwards
  ]

newtype Stop = Stop Int deriving (Eq, Show)

instance Exception Stop

-- | An asynchronous exception, also by its type.
newtype Halt = Halt Int deriving (Eq, Show)

instance Exception Halt where
  toException = asyncExceptionToException
  fromException = asyncExceptionFromException

-- | Whichever body throws, no body runs any more when the exception arrives.
arrives :: Assertion
arrives = forM_ allSchedules $ \schedule -> forM_ [0, 1, 499, 998, 999] $ \bad -> do
  running <- newIORef (0 :: Int)
  let add n = atomicModifyIORef' running (\k -> (k + n, ()))
  outcome <- try $ parallelForWith schedule 0 1000 $ \i ->
    bracket_ (add 1) (add (-1)) (when (i == bad) (throwIO (Stop i)))
  outcome @?= Left (Stop bad)
  readIORef running >>= (@?= 0)

stops :: Assertion
stops = do
  count <- newIORef (0 :: Int)
  outcome <- try $ parallelForWith (Dynamic 1) 0 1000000000 $ \i -> do
    n <- atomicModifyIORef' count (\n -> (n + 1, n + 1))
    when (n == 1000) $ throwIO (Stop i)
  either (\(Stop _) -> pure ()) (\() -> assertFailure "no exception") outcome

everyBody :: Assertion
everyBody = do
  outcome <- try (parallelForWith (Dynamic 1) 0 100000 (throwIO . Stop))
  case outcome of
    Left (Stop i) -> assertBool "an iteration of the loop" (i >= 0 && i < 100000)
    Right () -> assertFailure "no exception"

-- | A loop that would take minutes; its bodies do not allocate.
endless :: IORef Bool -> IO ()
endless = endlessAfter (pure ())

-- | The first action runs where the loop would already notice an exception.
endlessAfter :: IO () -> IORef Bool -> IO ()
endlessAfter begin quiet = do
  writeIORef quiet False
  (begin >> parallelFor 0 200000000000 (\_ -> pure ())) `finally` writeIORef quiet True

timeoutWorks :: Assertion
timeoutWorks = do
  quiet <- newIORef False
  timeout 20000 (endless quiet) >>= (@?= Nothing)
  readIORef quiet >>= (@?= True)

killWorks :: Assertion
killWorks = do
  quiet <- newIORef False
  started <- newEmptyMVar
  ended <- newEmptyMVar
  thread <- forkIO $ endlessAfter (putMVar started ()) quiet `catch` \e -> putMVar ended (e :: AsyncException)
  takeMVar started
  yield
  killThread thread
  takeMVar ended >>= (@?= ThreadKilled)
  readIORef quiet >>= (@?= True)

fromNested :: Assertion
fromNested = do
  outcome <- try $ parallelForWith (Dynamic 1) 0 20 $ \i -> parallelForWith (Dynamic 1) 0 20 $ \j ->
    when (i == 13 && j == 7) $ throwIO (Stop 137)
  outcome @?= Left (Stop 137)

-- | Bodies that wait for some time on an 'MVar' that another thread could fill.
waiting :: MVar () -> Int -> IO ()
waiting never i = if even i then takeMVar never else threadDelay 1000000000

-- | A body closes what it has opened, on helpers too.
waitingLoop :: MVar () -> IORef Int -> IO ()
waitingLoop never open = parallelForWith (Dynamic 1) 0 8 $ \i -> bracket_ (add 1) (add (-1)) (waiting never i)
  where add n = atomicModifyIORef' open (\k -> (k + n, ()))

timeoutWaiting :: Assertion
timeoutWaiting = do
  never <- newEmptyMVar
  open <- newIORef 0
  replicateM_ 5 $ do
    timeout 20000 (waitingLoop never open) >>= (@?= Nothing)
    readIORef open >>= (@?= 0)
  putMVar never ()

killWaiting :: Assertion
killWaiting = do
  never <- newEmptyMVar
  open <- newIORef 0
  ended <- newEmptyMVar
  thread <- forkIO (waitingLoop never open `catch` \e -> readIORef open >>= \n -> putMVar ended (e, n))
  untilM ((> 0) <$> readIORef open)
  killThread thread
  takeMVar ended >>= (@?= (ThreadKilled, 0))
  putMVar never ()

-- | When a body throws, only the body that waits is still running.
timeoutAfterThrow :: Assertion
timeoutAfterThrow = do
  never <- newEmptyMVar
  outcome <- try . timeout 50000 $ parallelForWith (Dynamic 1) 0 2 $ \i ->
    if i == 0 then yield >> throwIO (Stop 0) else takeMVar never
  -- The time may be over first, where the machine is busy.
  assertBool (show outcome) (outcome `elem` [Right Nothing, Left (Stop 0)])
  putMVar never ()

-- | It replaces the first exception, and reaches the bodies that wait while they clean up.
secondException :: Assertion
secondException = do
  never <- newEmptyMVar
  begun <- newIORef (0 :: Int)
  ending <- newIORef (0 :: Int)
  ended <- newEmptyMVar
  let add ref = atomicModifyIORef' ref (\n -> (n + 1, ()))
  thread <- forkIO $ (parallelForWith (Dynamic 1) 0 4 (\_ -> (add begun >> takeMVar never) `finally` (add ending >> takeMVar never)))
    `catch` putMVar ended
  untilM ((> 0) <$> readIORef begun)
  throwTo thread (Halt 1)
  untilM ((> 0) <$> readIORef ending)
  throwTo thread (Halt 2)
  let more = do -- a body that had not begun to clean up needs another exception
        found <- timeout 20000 (takeMVar ended)
        maybe (throwTo thread (Halt 2) >> more) pure found
  more >>= (@?= Halt 2)
  putMVar never ()

-- | No reference to the thread exists, because a thread that has one could still throw to it.
alone :: IO a -> IO a
alone action = do
  result <- newEmptyMVar
  _ <- forkIO (try action >>= putMVar result)
  takeMVar result >>= either (throwIO :: SomeException -> IO a) pure

isBlocked :: Either BlockedIndefinitelyOnMVar () -> Bool
isBlocked = either (const True) (const False)

blockedForEver :: Assertion
blockedForEver = do
  outcome <- alone . try $ do
    never <- newEmptyMVar
    parallelForWith (Dynamic 1) 0 8 (\_ -> takeMVar never)
  isBlocked outcome @?= True

-- | The other bodies finish; whichever thread executes the one that waits, the exception reaches the caller.
oneBlockedForEver :: Assertion
oneBlockedForEver = forM_ [0, 3, 7] $ \bad -> do
  outcome <- alone . try $ do
    never <- newEmptyMVar
    parallelForWith (Dynamic 1) 0 8 (\i -> when (i == bad) (takeMVar never))
  isBlocked outcome @?= True

endlessRange :: Assertion
endlessRange = do
  let firstChunk schedule = either (\(Stop n) -> n) (const 0) <$>
        try (parallelForChunksWith schedule 0 maxBound (\first end -> throwIO (Stop (end - first))))
  sizes <- mapM firstChunk [Auto, Static, Dynamic 10, StaticChunk 10, Guided 10]
  assertBool (show sizes) (and (zipWith (<=) sizes [8192, 8192, 10, 10, maxBound]))
  slice <- try (parallelReduceChunks (+) 0 0 maxBound (\first end -> throwIO (Stop (end - first))))
  case slice of
    Left (Stop n) -> assertBool (show n) (n <= 1048576)
    Right n -> assertFailure (show (n :: Int))

masking :: Assertion
masking = do
  states <- newIORef []
  let note = getMaskingState >>= \s -> atomicModifyIORef' states (\seen -> (s : seen, ()))
  parallelFor 0 10 (const note)
  readIORef states >>= (@?= replicate 10 Unmasked)
  getMaskingState >>= (@?= Unmasked)
  mask_ (parallelFor 0 10 (const (pure ())) >> getMaskingState) >>= (@?= MaskedInterruptible)

maskingOfHelpers :: Assertion
maskingOfHelpers = forM_ [(id, Unmasked), (mask_, MaskedInterruptible), (uninterruptibleMask_, MaskedUninterruptible)] $
  \(masked, state) -> do
    others <- newIORef []
    untilM $ masked $ isHelped $ \helps -> do
      s <- getMaskingState
      when (s /= state) $ atomicModifyIORef' others (\seen -> ((helps, s) : seen, ()))
    readIORef others >>= (@?= [])

-- | The second exception hits the helper when it has no work any more. The helper must survive: later loops
-- must have helpers, too.
hitTwice :: Assertion
hitTwice = do
  capabilities <- getNumCapabilities
  when (capabilities > 1) $ replicateM_ 40 $
    timeout 20000000 (untilM ((== Left (Stop 1)) <$> try (isHelped (`when` twice)))) >>= (@?= Just ())
  where
    -- The throwing threads run on the helper's Capability: from another one the exceptions could arrive after the body.
    twice = mask_ $ do
      self <- myThreadId
      (here, _) <- threadCapability self
      throwers <- replicateM 2 (forkOn here (throwTo self (Stop 1)))
      forM_ throwers $ \thrower -> untilM $ (== ThreadBlocked BlockedOnException) <$> threadStatus thrower

uninterruptible :: Assertion
uninterruptible = do
  count <- newIORef (0 :: Int)
  done <- newEmptyMVar
  thread <- uninterruptibleMask_ $ forkIOWithUnmask $ \unmask -> do
    parallelForWith (Dynamic 1) 0 2000 $ \_ -> atomicModifyIORef' count (\n -> (n + 1, ())) >> yield
    readIORef count >>= putMVar done
    unmask (pure ())
  _ <- forkIO (killThread thread)
  takeMVar done >>= (@?= 2000)

afterwards :: Assertion
afterwards = do
  count <- newIORef (0 :: Int)
  replicateM_ 200 $ parallelFor 0 500 $ \_ -> atomicModifyIORef' count (\n -> (n + 1, ()))
  readIORef count >>= (@?= 100000)
