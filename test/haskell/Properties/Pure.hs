{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}

-- | Values that are computed in parallel, while several threads demand, share or interrupt them: asynchronous
-- exceptions at any moment, and collections.
module Properties.Pure (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.Array.Linear
import Data.IORef
import Data.Maybe (catMaybes)
import Data.Monoid (Sum (..))
import GHC.Conc (atomically, catchSTM, newTVarIO, readTVar, readTVarIO, unsafeIOToSTM, writeTVar)
import qualified Data.Vector as B
import qualified Data.Vector.Primitive as P
import qualified Data.Vector.Unboxed as U
import Foreign.Storable (pokeElemOff)
import GHC.OpenMP.Reduce (foldMapRange, reduceRange)
import GHC.OpenMP.Refusal (LoopTooLong (..))
import GHC.OpenMP.Evaluate (parallelEval)
import GHC.OpenMP.Vector
  (parallelFilter, parallelFindIndex, parallelFold, parallelGenerate, parallelMap, parallelScanl1, parallelSortBy)
import Prelude hiding (length, read)
import qualified Prelude as P0
import System.IO.Unsafe (unsafeDupablePerformIO, unsafePerformIO)
import System.Mem (performMajorGC, performMinorGC)
import System.Mem.Weak (Weak, deRefWeak)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "pure values"
  [ testGroup "both sides are over when an exception arrives"
      [ testCase "of one side" (overBefore (throwIO Stop))
      , testCase "of another thread" overBeforeOfOther
      ]
  , testCase "nothing is kept of a value that two threads wanted" nothingKept
  , testProperty "forced by several threads at once" (withMaxSuccess 60 forcedAtOnce)
  , testProperty "exceptions thrown at whoever evaluates it" (withMaxSuccess 60 thrownAt)
  , testProperty "the same, and collections all the time" (withMaxSuccess 40 thrownCollecting)
  , testProperty "a killed thread's value, wanted again" (withMaxSuccess 40 wantedAgain)
  , testGroup "an exception of an element is that of the value: computed once, and catchSTM catches it"
      [ testCase "of a synchronous type" (throwsOnce Stop)
      , testCase "of an asynchronous type" (throwsOnce ThreadKilled)
      ]
  , testCase "an exception of the combination, of the range or of the size, too" throwsBeside
  , testCase "an exception that is thrown at an evaluating transaction is not the value's" thrownAtTransaction
  , testCase "a loop that ends because an element throws spoils no value that another element needs" endedByOther
  , testCase "in transactions that conflict: no thread stays masked, and the values are right" conflicting
  , testProperty "an exception of an element, to everybody" (withMaxSuccess 40 elementThrows)
  ]

-- | The RTS takes a thread back to the beginning of its transaction from the middle of a value.
conflicting :: Assertion
conflicting = do
  counter <- newTVarIO 0
  states <- forM [1 .. 8 :: Int] $ \me -> do
    result <- newEmptyMVar
    _ <- forkIO $ do
      replicateM_ 200 . atomically $ do
        n <- readTVar counter
        let value | even me = reduceRange (+) 0 0 1000 (\i -> if i < 0 then n else 1)
                  | otherwise = P0.length (compute (Value Generated 1000 n))
        writeTVar counter $! n + value
      getMaskingState >>= putMVar result
    pure result
  mapM takeMVar states >>= (@?= replicate 8 Unmasked)
  readTVarIO counter >>= (@?= 8 * 200 * 1000)

-- | As with 'sum'.
throwsOnce :: (Eq e, Exception e) => e -> Assertion
throwsOnce e = forM_ values $ \(what, value) -> replicateM_ 20 $ do
  started <- newIORef (0 :: Int)
  shared <- share (value (\i -> unsafeDupablePerformIO (atomicModifyIORef' started (\n -> (n + 1, if i == 500 then throw e else i)))))
  outcomes <- replicateM 3 (try (readIORef shared >>= evaluate))
  outcomes @?= replicate 3 (Left e)
  n <- readIORef started
  assertBool (what ++ ": " ++ show n ++ " elements") (n <= 1000)
  another <- share (value (\i -> if i == 500 then throw e else i))
  inTransaction shared >>= (@?= Left e)
  inTransaction another >>= (@?= Left e)
  where
    values :: [(String, (Int -> Int) -> Int)]
    values =
      [ ("reduceRange", reduceRange (+) 0 0 1000)
      , ("foldMapRange", getSum . foldMapRange 0 1000 . (Sum .))
      , ("parallelMap", \f -> U.sum (parallelMap f (U.enumFromN 0 1000)))
      , ("parallelEval", \f -> sum (parallelEval (`seq` ()) (map f [0 .. 999])))
      , ("parallelFilter", \f -> U.length (parallelFilter (\i -> even (f i)) (U.enumFromN 0 1000)))
      , ("parallelScanl1", \f -> U.last (parallelScanl1 (+) (parallelMap f (U.enumFromN 0 1000))))
      , ("parallelFindIndex", \f -> maybe 0 id (parallelFindIndex (\i -> f i < 0) (U.enumFromN 0 1000)))
      , ("nested", \f -> reduceRange (+) 0 0 10 (\i -> reduceRange (+) 0 (100 * i) (100 * i + 100) f))
      , ("sum", \f -> sum (map f [0 .. 999]))
      ]

inTransaction :: Exception e => IORef a -> IO (Either e a)
inTransaction shared = readIORef shared >>= \x -> atomically ((Right <$> unsafeIOToSTM (evaluate x)) `catchSTM` (pure . Left))

throwsBeside :: Assertion
throwsBeside = do
  combined <- newIORef (0 :: Int)
  shared <- share (reduceRange (adding combined) 0 0 1000 id)
  let outcome = (,) <$> try (readIORef shared >>= evaluate) <*> readIORef combined
  first@(what, _) <- outcome
  what @?= Left Stop
  replicateM 2 outcome >>= (@?= [first, first])
  sorted <- share (U.length (parallelSortBy (\x y -> if x == 500 || y == 500 then throw Stop else compare x y) (U.enumFromN (0 :: Int) 1000)))
  inTransaction sorted >>= (@?= Left Stop)
  -- The sums of two blocks are combined beside the loops.
  scanned <- share (U.length (parallelScanl1 (\x y -> if x > 1000 && y > 1000 then throw Stop else x + y) (U.replicate 2000 (1 :: Int))))
  try (readIORef scanned >>= evaluate) >>= (@?= (Right 2000 :: Either Stop Int))
  share (reduceRange (+) 0 0 (throw Stop) id) >>= inTransaction >>= (@?= Left Stop)
  share (reduceRange (+) 0 minBound maxBound id) >>= inTransaction >>= either isTooLong (const (assertFailure "a sum"))
  share (U.length (parallelGenerate maxBound id)) >>= inTransaction >>= either isError (const (assertFailure "a vector"))
  where
    adding count x y = unsafeDupablePerformIO (atomicModifyIORef' count (\n -> (n + 1, if x == 0 then throw Stop else x + y)))
    isTooLong e = assertBool (show e) (loopTo e == maxBound)
    isError e = assertBool (show e) (P0.length (show (e :: ErrorCall)) > 0)

thrownAtTransaction :: Assertion
thrownAtTransaction = replicateM_ 20 $ do
  entered <- newEmptyMVar
  go <- newEmptyMVar
  shared <- share (reduceRange (+) 0 0 1000 (\i -> if i == 500 then unsafePerformIO (i <$ (putMVar entered () >> readMVar go)) else i))
  box <- newEmptyMVar
  thread <- forkIO (try (inTransaction shared :: IO (Either Stop Int)) >>= putMVar box)
  takeMVar entered
  throwTo thread Interrupted
  takeMVar box >>= (@?= Left Interrupted)
  putMVar go ()
  _ <- forkIO (takeMVar entered) -- it may have begun again
  readIORef shared >>= evaluate >>= (@?= 499500)

endedByOther :: Assertion
endedByOther = replicateM_ 50 $ do
  entered <- newEmptyMVar
  go <- newEmptyMVar
  let needed i = unsafePerformIO (i <$ ((tryPutMVar entered () >> readMVar go) `catch` \e -> throwIO (e :: SomeException)))
  shared <- share (reduceRange (+) 0 0 10 needed)
  outcome <- try (evaluate (reduceRange (+) 0 0 1000 (needing shared entered)))
  outcome @?= Left Stop
  putMVar go ()
  readIORef shared >>= evaluate >>= (@?= 45)
  where
    needing shared entered i
      | i == 0 = unsafePerformIO (readIORef shared >>= evaluate)
      | i == 999 = unsafePerformIO (readMVar entered >> throwIO Stop)
      | otherwise = i

data Interrupted = Interrupted deriving (Eq, Show)

instance Exception Interrupted

data Stop = Stop deriving (Eq, Show)

instance Exception Stop

-- ---------------------------------------------------------------------------------- values

-- | A way to compute a list of numbers, in parallel, in place.
data Kind = Generated | MappedInPlace | Counted | Chunked | Halved | Folded | Mapped | Reduced | FoldedVector
  deriving (Show, Eq, Enum, Bounded)

data Value = Value Kind Int Int deriving (Show)

instance Arbitrary Value where
  arbitrary = Value <$> arbitraryBoundedEnum <*> oneof [choose (0, 100), choose (1000, 6000)] <*> choose (0, 1000)

-- | A new, unevaluated value at each call.
compute :: Value -> [Int]
compute (Value kind n k) = case kind of
  Generated -> frozenOf (\array token -> parGenerate (element k) array token)
  MappedInPlace -> frozenOf (\array token -> parMap (+ k) array (parGenerate (element 0) array token))
  Counted -> frozenOf (\array token -> everywhere (element k) array 0 (everywhere (+ 1) array 0 (fill array 0 token)))
  Chunked -> frozenOf (\array token ->
    parChunksOf 77 (\from part t -> everywhere (+ element k from) part 0 t) array (fill array 0 token))
  Halved -> frozenOf (\array token -> halves k array (fill array 0 token))
  Folded -> unur (alloc n (\array token -> token & parGenerate (element k) array & parFoldMap pure array & \case
    (Ur xs, end) -> end & done (whole xs)))
  Mapped -> U.toList (parallelMap (+ k) (parallelGenerate n (element 0) :: U.Vector Int))
  Reduced -> reduceRange (++) [] 0 n (\i -> [element k i])
  FoldedVector -> parallelFold (++) [] (parallelGenerate n (pure . element k) :: Boxed)
  where
    frozenOf :: (forall s. Array s Int -> RW s %1 -> RW s) -> [Int]
    frozenOf use = P.toList (unur (alloc n (\array token -> freeze array (use array token))))
{-# NOINLINE compute #-}

type Boxed = B.Vector [Int]

-- | The same value, computed with lists.
expected :: Value -> [Int]
expected (Value kind n k) = case kind of
  MappedInPlace -> map ((+ k) . element 0) [0 .. n - 1]
  Mapped -> map ((+ k) . element 0) [0 .. n - 1]
  Counted -> replicate n (element k 1)
  Chunked -> map (\i -> element k (i `div` 77 * 77)) [0 .. n - 1]
  Halved -> replicate n (k + 1)
  _ -> map (element k) [0 .. n - 1]

-- | Takes a while, and allocates.
element :: Int -> Int -> Int
element k i = k + i * 3 + sum (map fromEnum (show (i * 7919)))
{-# NOINLINE element #-}

-- | Executed twice, it gives another result.
everywhere :: (Int -> Int) -> Array s Int -> Int -> RW s %1 -> RW s
everywhere f array i token
  | i == length array = token
  | otherwise = everywhere f array (i + 1) (modify array i f token)

halves :: Int -> Array s Int -> RW s %1 -> RW s
halves k array token
  | length array < 50 = everywhere (+ (k + 1)) array 0 token
  | otherwise = joined (parCombine (length array `quot` 2) (half k) (half k) array token)

half :: Int -> Array s Int -> RW s %1 -> (Ur (), RW s)
half k array token = (Ur (), halves k array token)

joined :: (Ur ((), ()), RW s) %1 -> RW s
joined (Ur ((), ()), token) = token

whole :: [a] -> [a]
whole xs = foldr seq xs xs

-- ---------------------------------------------------------------------------------- threads

-- | A value that is evaluated once for all threads that demand it. It is in a cell, because the compiler assumes that
-- an action of IO is executed once, and would move the shared computation into it.
share :: a -> IO (IORef a)
share = newIORef

want :: IORef [a] -> IO [a]
want shared = readIORef shared >>= evaluate . whole

-- | A little work, so that the threads act at different moments.
pause :: Int -> IO ()
pause n = forM_ [1 .. n] $ \i -> when (i `rem` 64 == 0) yield

-- | The outcomes of an action in several threads that begin together.
together :: Int -> IO a -> IO [a]
together n action = do
  ready <- newIORef (0 :: Int)
  boxes <- forM [0 .. n - 1] $ \i -> do
    box <- newEmptyMVar
    _ <- forkOn i $ do
      atomicModifyIORef' ready (\k -> (k + 1, ()))
      let spin = readIORef ready >>= \k -> unless (k == n) (yield >> spin)
      spin >> action >>= putMVar box
    pure box
  mapM takeMVar boxes

-- | Another thread collects garbage a few times while the action runs.
collecting :: IO a -> IO a
collecting action = do
  over <- newIORef False
  quiet <- newEmptyMVar
  let rounds n = readIORef over >>= \isOver -> if isOver || n == (0 :: Int)
        then putMVar quiet ()
        else performMinorGC >> pause 300 >> performMajorGC >> pause 300 >> rounds (n - 1)
  _ <- forkIO (rounds 20)
  action `finally` (writeIORef over True >> takeMVar quiet)

forcedAtOnce :: Value -> Property
forcedAtOnce value = forAll (choose (2, 4)) $ \threads -> ioProperty $ do
  shared <- share (compute value)
  seen <- together threads (want shared)
  pure (seen === replicate threads (expected value))

-- | Exceptions at two threads that evaluate one value; each tries again until it has the value.
thrownAt :: [Moment] -> Value -> Property
thrownAt moments value = ioProperty (thrown moments value)

thrownCollecting :: [Moment] -> Value -> Property
thrownCollecting moments value = ioProperty (collecting (thrown moments value))

newtype Moment = Moment Int deriving (Show)

instance Arbitrary Moment where
  arbitrary = Moment <$> frequency [(3, choose (0, 300)), (1, choose (0, 20000))]

thrown :: [Moment] -> Value -> IO Property
thrown moments value = do
  shared <- share (compute value)
  threads <- forM [0, 1] $ \i -> do
    box <- newEmptyMVar
    thread <- mask_ $ forkOnWithUnmask i $ \unmask ->
      let retry = try (unmask (want shared)) >>= either (\Stop -> retry) pure
      in retry >>= putMVar box
    pure (thread, box)
  forM_ (zip moments (cycle (map fst threads))) $ \(Moment n, thread) -> pause n >> throwTo thread Stop
  seen <- mapM (takeMVar . snd) threads
  pure (seen === replicate 2 (expected value))

wantedAgain :: Moment -> Value -> Property
wantedAgain (Moment n) value = ioProperty $ do
  shared <- share (compute value)
  first <- forkIO (void (want shared))
  pause n
  killThread first
  seen <- want shared
  pure (seen === expected value)

elementThrows :: NonNegative (Small Int) -> Property
elementThrows (NonNegative (Small bad)) = ioProperty $ do
  let f i = if i == bad then throw Stop else element 0 i
  shared <- share (P.toList (unur (alloc 2000 (\array token -> token & parGenerate f array & freeze array))))
  seen <- together 2 (try (want shared))
  later <- try (want shared)
  pure (later : seen === replicate 3 (if bad < 2000 then Left Stop else Right (map (element 0) [0 .. 1999])))

-- ---------------------------------------------------------------------------------- two sides

data Sides = Sides { begun :: IORef Int, ended :: IORef Int }

newSides :: IO Sides
newSides = Sides <$> newIORef 0 <*> newIORef 0

add :: IORef Int -> IO ()
add ref = atomicModifyIORef' ref (\n -> (n + 1, ()))

-- | A side that writes for a while.
leftSide :: Effects s => Sides -> Array s Int -> RW s %1 -> (Ur (), RW s)
leftSide sides = callC $ \memory _ -> do
  add (begun sides)
  forM_ [1 .. 200000] $ \i -> pokeElemOff memory 0 i >> when (i `rem` 1000 == 0) yield
  add (ended sides)

-- | Begins when the left side runs, or after some time without it.
rightSide :: Effects s => Sides -> IO () -> Array s Int -> RW s %1 -> (Ur (), RW s)
rightSide sides action = callC (\_ _ -> wait (2000 :: Int) >> action)
  where
    wait n = readIORef (begun sides) >>= \b -> unless (b > 0 || n == 0) (yield >> wait (n - 1))

sideBySide :: Sides -> IO () -> IO ()
sideBySide sides action = allocIO 2 (\array token ->
  token & parCombine 1 (leftSide sides) (rightSide sides action) array & \case (Ur _, end) -> end & done ())

bothOver :: Sides -> Assertion
bothOver sides = do
  counts <- (,) <$> readIORef (begun sides) <*> readIORef (ended sides)
  counts @?= (1, 1)

overBefore :: IO () -> Assertion
overBefore action = replicateM_ 20 $ do
  sides <- newSides
  outcome <- try (sideBySide sides action)
  outcome @?= Left Stop
  bothOver sides

-- | The right side throws after the left side has begun. The exception must not arrive before the left side has ended.
overBeforeOfOther :: Assertion
overBeforeOfOther = replicateM_ 20 $ do
  sides <- newSides
  self <- myThreadId
  never <- newEmptyMVar :: IO (MVar ())
  _ <- forkIO (untilBegun sides >> throwTo self Stop)
  outcome <- try (sideBySide sides (pure ()) >> takeMVar never)
  outcome @?= Left Stop
  bothOver sides
  where untilBegun sides = readIORef (begun sides) >>= \b -> when (b == 0) (yield >> untilBegun sides)

-- ---------------------------------------------------------------------------------- memory

-- | Two threads begin to compute one value; at the next collection one of them may give up. The function that makes
-- the elements refers to a cell: if the cell is collected, so is the value.
nothingKept :: Assertion
nothingKept = do
  cells <- replicateM 200 (collecting wantedByTwo)
  performMajorGC
  kept <- catMaybes <$> mapM deRefWeak cells
  P0.length kept @?= 0

wantedByTwo :: IO (Weak (IORef Int))
wantedByTwo = do
  cell <- newIORef 0
  shared <- share (P.toList (metAt cell))
  seen <- together 2 (P0.length <$> want shared)
  seen @?= [20000, 20000]
  mkWeakIORef cell (pure ())

-- | The first thread that begins waits for a moment for a second one.
metAt :: IORef Int -> P.Vector Int
metAt cell = unur (alloc (20000 + unsafeDupablePerformIO meet) (\array token ->
  token & parGenerate (element 0 . added) array & freeze array))
  where
    added i = unsafeDupablePerformIO ((+ i) <$> readIORef cell)
    meet = atomicModifyIORef' cell (\n -> (n + 1, ())) >> wait 1000000
    wait n = readIORef cell >>= \met -> if met == 2 || n == (0 :: Int) then pure 0 else wait (n - 1)
{-# NOINLINE metAt #-}
