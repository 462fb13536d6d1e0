{-# LANGUAGE RankNTypes #-}

-- | Control.Concurrent.OpenMP beside the package @async@: random programs have the same outcome with both.
module Properties.Concurrent (tests) where

import Control.Concurrent
import qualified Control.Concurrent.Async as Async
import Control.Concurrent.OpenMP
import Control.Exception
import Control.Monad
import Data.Functor.Compose
import Data.IORef
import qualified Data.Map as Map
import Data.Word (Word8)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import Foreign.Storable (poke)
import Properties.Helped (collectsBeside, waitsForEver)
import System.Posix.Types (CSsize (..))
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding (Failure)

tests :: TestTree
tests = testGroup "as with async"
  [ testProperty "random programs" sameOutcome
  , testGroup "actions that wait for each other"
      [ testCase (name ++ ", " ++ show n) (meet many n) | (name, many) <- manyActions, n <- [2, 3, 50, 1000] ]
  , testCase "an action for each element, results in their places" places
  , testCase "no action, one action, fewer than none" fewActions
  , testCase "the first exception ends the others" firstException
  , testCase "killThread ends all actions" killed
  , testCase "timeout ends all actions" timedOut
  , testCase "the loser of a race is ended before race returns" loserEnds
  , testCase "races in races" racesInRaces
  , testCase "an action that catches everything does not keep a race from ending" catchesAll
  , testGroup "what is thrown to the caller strikes no action"
      [ testCase name (strikesNoAction call) | (name, call) <- callsOfMany ]
  , testCase "a race ends around calls whose actions catch everything" endsAroundCalls
  , testCase "a lock is held over each" locksHeld
  , testCase "actions in C" inC
  , testCase "actions that compute beside one that waits" computesBeside
  , testGroup "an action that goes on for ever keeps no other one from beginning"
      [ testCase "the first of a race" (race goesOn (pure 'x') >>= (@?= Right 'x'))
      , testCase "the second of a race" (race (pure 'x') goesOn >>= (@?= Left 'x'))
      , testCase "races in a race" (race (race goesOn (race goesOn goesOn)) (pure 'x') >>= either (const (assertFailure "ended")) (@?= 'x'))
      , testCase "the first ones of many" (try (mapConcurrently_ id (replicate 5 goesOn ++ [throwIO Overflow])) >>= (@?= Left Overflow))
      , testCase "one that looks again and again" looksAgain
      , testCase "after calls that have ended" (replicateM_ 100 (concurrently yield yield) >> race goesOn (pure 'x') >>= (@?= Right 'x')) ]
  , testCase "pairs in pairs" pairsInPairs
  , testCase "the masking state is the caller's" masking
  , testGroup "where exceptions are masked, every action begins and cleans up"
      [ testCase (name ++ ", " ++ show n) (beginsMasked call n) | (name, call) <- maskedCalls, n <- [2, 3, 100] ]
  , testCase "where exceptions are masked, actions that clean up wait for each other" cleansUpTogether
  , testCase "what cannot happen is found" forEver
  , testGroup "an action that nothing wakes is left alone while the other one of its race goes on"
      [ testCase "the first" (besideACollection (\(waits, collects) -> race waits collects >>= (@?= Right ())))
      , testCase "the second" (besideACollection (\(waits, collects) -> race collects waits >>= (@?= Left ()))) ]
  , testProperty "pure is neutral" (\x -> same (pure id <*> Concurrently (pure (x :: Int))) (Concurrently (pure x)))
  , testProperty "results in the structure's order" (\xs -> ioProperty ((=== (xs :: [Int])) <$> mapConcurrently pure xs))
  ]

-- | Ends the call by its first action, by another thread, or by a race that is won.
maskedCalls :: [(String, Int -> (Int -> IO ()) -> IO ())]
maskedCalls =
  [ ("an action throws", \n each -> stops (mapConcurrently (\i -> if i == 0 then throwIO Overflow else each i) [0 .. n - 1]))
  , ("an action throws, without results", \n each -> stops (forConcurrently_ [0 .. n - 1] (\i -> if i == 0 then throwIO Overflow else each i)))
  , ("a race is won", \n each -> race_ (pure ()) (mapConcurrently_ each [1 .. n - 1]))
  , ("a pair", \n each -> stops (concurrently (throwIO Overflow) (mapConcurrently_ each [1 .. n - 1]) :: IO ((), ())))
  , ("timeout", \n each -> void (timeout 20000 (mapConcurrently_ each [1 .. n - 1])))
  ]
  where stops action = try (void action) >>= (@?= Left Overflow)

-- | As with async, where a thread of each action begins with exceptions masked: it is ended at the first place where it can be.
beginsMasked :: (Int -> (Int -> IO ()) -> IO ()) -> Int -> Assertion
beginsMasked call n = replicateM_ 10 $ do
  cleaned <- newIORef []
  mask $ \restore -> call n (\i -> restore (threadDelay 10000000) `finally` atomicModifyIORef' cleaned (\is -> (i : is, ())))
  readIORef cleaned >>= (@?= [1 .. n - 1]) . Map.keys . Map.fromList . map (\i -> (i, ()))
  readIORef cleaned >>= (@?= n - 1) . length

cleansUpTogether :: Assertion
cleansUpTogether = do
  doors <- replicateM 20 newEmptyMVar
  let each :: (MVar (), MVar ()) -> (IO () -> IO ()) -> IO ()
      each (mine, next) restore = restore (threadDelay 10000000) `finally` (putMVar next () >> takeMVar mine)
  outcome <- timeout 10000000 . try $ mask $ \restore ->
    mapConcurrently_ (maybe (throwIO Overflow) (`each` restore)) (Nothing : map Just (zip doors (drop 1 (cycle doors))))
  outcome @?= Just (Left Overflow)

same :: (Eq a, Show a) => Concurrently a -> Concurrently a -> Property
same a b = ioProperty ((===) <$> runConcurrently a <*> runConcurrently b)

-- ---------------------------------------------------------------------------------- random programs

data Program
  = Value Int
  | Fail Int
  | Never
  | Pause Program
  | Both Program Program
  | First Program Program
  | All [Program]
  | Caught Program
  deriving Show

newtype Failure = Failure Int deriving (Eq, Show)

instance Exception Failure

data Outcome = Ends [Int] | Fails Int | Lasts
  deriving (Eq, Show)

-- | Nothing: it depends on which action is first.
outcomeOf :: Program -> Maybe Outcome
outcomeOf program = case program of
  Value x -> Just (Ends [x])
  Fail e -> Just (Fails e)
  Never -> Just Lasts
  Pause p -> outcomeOf p
  Both p q -> mapM outcomeOf [p, q] >>= together
  All ps -> mapM outcomeOf ps >>= together
  First p q -> mapM outcomeOf [p, q] >>= \os -> case filter (/= Lasts) os of
    [] -> Just Lasts
    [one] -> Just one
    _ -> Nothing
  Caught p -> (\o -> case o of Fails e -> Ends [-e]; _ -> o) <$> outcomeOf p
  where
    together os = case [e | Fails e <- os] of
      [] | Lasts `elem` os -> Just Lasts
         | otherwise -> Just (Ends (concat [xs | Ends xs <- os]))
      e : es -> if all (== e) es then Just (Fails e) else Nothing

instance Arbitrary Program where
  arbitrary = sized gen
    where
      gen n | n <= 1 = frequency [(5, Value <$> small), (1, Fail <$> small), (1, pure Never)]
            | otherwise = frequency
                [ (1, gen 1), (1, Pause <$> gen (n - 1)), (1, Caught <$> gen (n - 1))
                , (4, Both <$> gen (n `div` 2) <*> gen (n `div` 2)), (3, First <$> gen (n `div` 2) <*> gen (n `div` 2))
                , (2, choose (0, 6) >>= \k -> All <$> replicateM k (gen (n `div` 6))) ]
      small = choose (1, 3)
  shrink program = case program of
    Value _ -> []
    Pause p -> p : map Pause (shrink p)
    Caught p -> p : map Caught (shrink p)
    Both p q -> p : q : [Both p' q | p' <- shrink p] ++ [Both p q' | q' <- shrink q]
    First p q -> p : q : [First p' q | p' <- shrink p] ++ [First p q' | q' <- shrink q]
    All ps -> ps ++ map All (shrink ps)
    _ -> [Value 1]

-- | With these for concurrently, race and mapConcurrently.
runWith :: (forall a b. IO a -> IO b -> IO (a, b)) -> (forall a b. IO a -> IO b -> IO (Either a b))
  -> (forall a b. (a -> IO b) -> [a] -> IO [b]) -> Program -> IO [Int]
runWith both' first' all' = go
  where
    go program = case program of
      Value x -> pure [x]
      Fail e -> throwIO (Failure e)
      Never -> forever (threadDelay 1000000000)
      Pause p -> threadDelay 50 >> go p
      Both p q -> uncurry (++) <$> both' (go p) (go q)
      First p q -> either id id <$> first' (go p) (go q)
      All ps -> concat <$> all' go ps
      Caught p -> go p `catch` \(Failure e) -> pure [-e]

sameOutcome :: Program -> Property
sameOutcome program = case outcomeOf program of
  Nothing -> property Discard
  Just Lasts -> property Discard
  Just expected -> ioProperty $ do
    ours <- outcome (runWith concurrently race mapConcurrently program)
    theirs <- outcome (runWith Async.concurrently Async.race Async.mapConcurrently program)
    pure ((ours, theirs) === (Just expected, Just expected))
  where
    outcome run = timeout 20000000 (either (\(Failure e) -> Fails e) Ends <$> try run)

-- ---------------------------------------------------------------------------------- cases

manyActions :: [(String, Int -> IO () -> IO ())]
manyActions =
  [ ("mapConcurrently", \n a -> void (mapConcurrently (const a) [1 .. n]))
  , ("mapConcurrently_", \n a -> mapConcurrently_ (const a) [1 .. n])
  , ("replicateConcurrently_", replicateConcurrently_)
  , ("pairs in pairs", \n a -> let go k = if k <= 1 then a else concurrently_ (go (k `div` 2)) (go (k - k `div` 2)) in go n)
  , ("Concurrently", \n a -> runConcurrently (traverse_' (replicate n (Concurrently a))))
  ]
  where traverse_' = foldr (*>) (pure ())

meet :: (Int -> IO () -> IO ()) -> Int -> IO ()
meet many n = do
  came <- newIORef (0 :: Int)
  everybody <- newEmptyMVar
  many n $ do
    k <- atomicModifyIORef' came (\c -> (c + 1, c + 1))
    if k == n then putMVar everybody () else readMVar everybody
  readIORef came >>= (@?= n)

places :: IO ()
places = do
  let numbers = Map.fromList (zip [1 .. 200 :: Int] [1000 :: Int ..])
  forConcurrently numbers (pure . (* 2)) >>= (@?= fmap (* 2) numbers)
  let nested = Compose [Just 1, Nothing, Just (3 :: Int)]
  mapConcurrently (pure . show) nested >>= (@?= fmap show nested)

fewActions :: IO ()
fewActions = do
  mapConcurrently pure ([] :: [Int]) >>= (@?= [])
  mapConcurrently pure [7 :: Int] >>= (@?= [7])
  replicateConcurrently (-3) (pure 'a') >>= (@?= "")
  replicateConcurrently_ 0 (throwIO (Failure 1))
  count <- newIORef (0 :: Int)
  forConcurrently_ (Just ()) (\() -> modifyIORef' count (+ 1))
  readIORef count >>= (@?= 1)

-- | So many actions wait until they are ended; the last one to begin does this.
waiting :: Int -> IO () -> IORef Int -> IO ()
waiting n lastOne ended = do
  began <- newIORef (0 :: Int)
  never <- newEmptyMVar
  replicateConcurrently_ n $ mask $ \restore -> do -- masked, so that each that has begun is counted
    k <- atomicModifyIORef' began (\c -> (c + 1, c + 1))
    if k == n then restore lastOne else takeMVar never `onException` atomicModifyIORef' ended (\c -> (c + 1, ()))
  putMVar never ()

firstException :: IO ()
firstException = do
  ended <- newIORef 0
  try (waiting 20 (throwIO (Failure 5)) ended) >>= (@?= Left (Failure 5))
  readIORef ended >>= (@?= 19)
  try (concurrently_ (throwIO (Failure 1)) (threadDelay 1000000000)) >>= (@?= Left (Failure 1))
  try (concurrently_ (threadDelay 1000000000) (throwIO (Failure 2))) >>= (@?= Left (Failure 2))

killed :: IO ()
killed = do
  ended <- newIORef 0
  ready <- newEmptyMVar
  over' <- newEmptyMVar
  never <- newEmptyMVar
  caller <- forkIO (try (waiting 20 (putMVar ready () >> readMVar never) ended) >>= putMVar over')
  takeMVar ready
  killThread caller
  takeMVar over' >>= (@?= Left ThreadKilled)
  readIORef ended >>= (@?= 19)
  putMVar never ()

timedOut :: IO ()
timedOut = do
  ended <- newIORef 0
  never <- newEmptyMVar
  timeout 1000000 (waiting 20 (readMVar never) ended) >>= (@?= Nothing)
  readIORef ended >>= (@?= 19)
  putMVar never ()

loserEnds :: IO ()
loserEnds = forM_ [False, True] $ \swapped -> do
  ended <- newIORef False
  began <- newEmptyMVar
  never <- newEmptyMVar
  let loser = (putMVar began () >> takeMVar never) `onException` writeIORef ended True
      winner = takeMVar began >> pure 'w'
  if swapped then race winner loser >>= (@?= Left 'w') else race loser winner >>= (@?= Right 'w')
  readIORef ended >>= (@?= True)
  putMVar never ()

racesInRaces :: IO ()
racesInRaces = do
  let never = threadDelay 1000000000
  race never (race (race never (pure 'a')) never) >>= (@?= Right (Left (Right 'a')))
  forM_ [1 .. 300 :: Int] $ \_ -> do
    r <- race (race (pure 'a') (pure 'b')) (race (pure 'c') (pure 'd'))
    assertBool (show r) (either (either id id) (either id id) r `elem` "abcd")

-- | It is ended all the same, if it does not begin again.
catchesAll :: IO ()
catchesAll = do
  caught <- newIORef (0 :: Int)
  began <- newEmptyMVar
  r <- race ((putMVar began () >> threadDelay 1000000000) `catch` \e -> modifyIORef' caught (+ 1) >> evaluate (length (show (e :: SomeException))) >> pure ())
         (takeMVar began)
  r @?= Right ()
  readIORef caught >>= (@?= 1)

-- | Calls of several such actions, or of one.
callsOfMany :: [(String, IO () -> IO ())]
callsOfMany =
  [ ("concurrently", \a -> void (concurrently a a))
  , ("concurrently_, the first catches", \a -> concurrently_ a (void (newEmptyMVar >>= \never -> takeMVar never >>= putMVar never :: IO ())))
  , ("race", \a -> void (race a a))
  , ("mapConcurrently", \a -> void (mapConcurrently (const a) [1 .. 20 :: Int]))
  , ("forConcurrently_, one element", \a -> forConcurrently_ [1 :: Int] (const a))
  , ("replicateConcurrently", \a -> void (replicateConcurrently 3 a))
  , ("Concurrently", \a -> runConcurrently (Concurrently a *> Concurrently a))
  , ("a call in a call", \a -> concurrently_ (concurrently_ a a) (race_ a a))
  , ("a call after one that has ended", \a -> concurrently_ (concurrently_ (pure ()) (pure ()) >> a) a)
  ]

-- | The actions catch everything, and go on. They get what ends them; the caller gets what was thrown to it, whatever its type.
strikesNoAction :: (IO () -> IO ()) -> Assertion
strikesNoAction call = replicateM_ 5 $ do
  throwing (toException Overflow)
  throwing (toException (AssertionFailed "for the caller"))
  throwing (toException UserInterrupt)
  where
    throwing e = do
      caught <- newIORef []
      begun <- newEmptyMVar
      ended <- newEmptyMVar
      never <- newEmptyMVar :: IO (MVar ())
      let action = (putMVar begun () >> takeMVar never) `catch` \got -> atomicModifyIORef' caught (\all' -> (show (got :: SomeException) : all', ()))
      thread <- forkIO (try (call action) >>= putMVar ended)
      takeMVar begun
      others <- forkIO (forever (takeMVar begun))
      throwTo thread e
      outcome <- takeMVar ended
      either (show :: SomeException -> String) (const "returned") outcome @?= show e
      known <- readIORef caught
      assertBool (show known) (not (null known) && show e `notElem` known)
      killThread others
      putMVar never ()

-- | The calls are made in a thread that the race ends: the end is for that thread, and not for the actions of these.
endsAroundCalls :: Assertion
endsAroundCalls = do
  begun <- newEmptyMVar
  never <- newEmptyMVar :: IO (MVar ())
  let action = (putMVar begun () >> takeMVar never) `catch` \e -> void (evaluate (length (show (e :: SomeException))))
  found <- race (forever (concurrently action action)) (takeMVar begun)
  either (const (assertFailure "the endless loop ended")) pure (found :: Either () ())
  putMVar never ()

locksHeld :: IO ()
locksHeld = do
  lock <- newMVar (0 :: Int)
  let locked = modifyMVar_ lock (pure . (+ 1))
  forM_ [1 .. 200 :: Int] $ \_ -> concurrently_
    (concurrently_ locked (modifyMVar_ lock (\n -> concurrently (pure ()) (pure ()) >> pure (n + 1))))
    (mapConcurrently_ (const locked) [1 .. 5 :: Int] >> void (race locked locked))
  n <- readMVar lock
  assertBool (show n) (n >= 200 * 8 && n <= 200 * 9)

foreign import ccall unsafe "pipe" c_pipe :: Ptr CInt -> IO CInt
foreign import ccall unsafe "close" c_close :: CInt -> IO CInt
foreign import ccall safe "read" c_read :: CInt -> Ptr Word8 -> CSize -> IO CSsize
foreign import ccall safe "write" c_write :: CInt -> Ptr Word8 -> CSize -> IO CSsize

-- | Actions in a safe call do not keep the others from beginning: each waits in C for the next one.
inC :: IO ()
inC = do
  pipes <- replicateM 20 (allocaArray 2 (\ends -> c_pipe ends >>= (@?= 0) >> peekArray 2 ends))
  let pass i = alloca $ \byte -> do
        unless (i == 19) (c_read (pipes !! (i + 1) !! 0) byte 1 >>= (@?= 1))
        poke byte 7
        c_write (pipes !! i !! 1) byte 1 >>= (@?= 1)
  mapConcurrently_ pass [0 .. 19 :: Int]
  mapM_ (mapM_ c_close) pipes

computesBeside :: IO ()
computesBeside = do
  box <- newEmptyMVar
  (_, sums) <- concurrently (takeMVar box) $ do
    xs <- mapConcurrently (\k -> evaluate (sum [1 .. k])) [1 .. 200 :: Int]
    putMVar box ()
    pure (sum xs)
  sums @?= sum [sum [1 .. k] | k <- [1 .. 200]]

-- | It allocates, so it can be interrupted.
goesOn :: IO ()
goesOn = newIORef (0 :: Int) >>= \count -> forever (modifyIORef' count (+ 1))

looksAgain :: IO ()
looksAgain = do
  box <- newEmptyMVar
  let look = tryTakeMVar box >>= maybe (yield >> look) pure
  concurrently look (putMVar box 'x') >>= (@?= ('x', ()))

-- | In the main thread, which is bound, and in another one: deep calls, some of which wait for each other.
pairsInPairs :: IO ()
pairsInPairs = do
  fib 16 >>= (@?= 987)
  (if rtsSupportsBoundThreads then runInBoundThread else id) (fib 16) >>= (@?= 987)
  withAsyncs (replicate 4 (fib 12)) >>= (@?= replicate 4 144)
  where
    fib :: Int -> IO Int
    fib n | n < 2 = pure n
          | n `rem` 5 == 0 = do
              door <- newEmptyMVar
              (a, b) <- concurrently (fib (n - 1) >>= \a -> a <$ takeMVar door) (putMVar door () >> fib (n - 2))
              pure (a + b)
          | otherwise = uncurry (+) <$> concurrently (fib (n - 1)) (fib (n - 2))
    withAsyncs actions = mapM Async.async actions >>= mapM Async.wait

masking :: IO ()
masking = forM_ [(id, Unmasked), (mask_, MaskedInterruptible), (uninterruptibleMask_, MaskedUninterruptible)] $ \(around, expected) ->
  around (replicateConcurrently 6 (yield >> getMaskingState)) >>= (@?= replicate 6 expected)

forEver :: IO ()
forEver = do
  result <- newEmptyMVar
  _ <- forkIO $ do
    r <- try (newEmptyMVar >>= \never -> concurrently (takeMVar never) (takeMVar never :: IO ()))
    putMVar result (either (\BlockedIndefinitelyOnMVar -> True) (const False) r)
  takeMVar result >>= (@?= True)

besideACollection :: ((IO (), IO ()) -> IO ()) -> IO ()
besideACollection run = do
  told <- newEmptyMVar
  run (waitsForEver told, collectsBeside told)
