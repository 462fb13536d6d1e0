-- | Every iteration is executed once under each schedule; chunks have the requested sizes.
module Properties.Loop (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import Data.List (isInfixOf, sort)
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import Foreign.Storable (peekElemOff, pokeElemOff)
import GHC.OpenMP.Loop
import GHC.OpenMP.Reduce
import GHC.OpenMP.Refusal
import GHC.OpenMP.Settings (withNumThreads)
import Properties.Schedules
import System.Mem (getAllocationCounter)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "loop"
  [ testProperty "each iteration once" eachOnce
  , testProperty "chunks are the range, cut" chunksCover
  , testProperty "chunk sizes" chunkSizes
  , testCase "a long loop, each iteration once" longLoop
  , testCase "a loop in a loop body" nested
  , testCase "loops from many threads" manyCallers
  , testCase "a body may block" blocking
  , testCase "a loop allocates nothing for its iterations" allocates
  , testCase "a range that is too long is refused" tooLong
  ]

size :: Range -> Int
size (Range from to) = max 0 (to - from)

-- | Counts how often each iteration ran; two bodies never increment one cell at the same time.
counts :: Schedule -> Range -> IO [Int]
counts schedule range@(Range from to) = allocaArray (max 1 (size range)) $ \cells -> do
  forM_ [0 .. size range - 1] $ \i -> pokeElemOff cells i 0
  parallelForWith schedule from to $ \i -> increment cells (i - from)
  peekArray (size range) cells

increment :: Ptr Int -> Int -> IO ()
increment cells i = peekElemOff cells i >>= pokeElemOff cells i . (+ 1)

eachOnce :: Schedule -> Range -> Property
eachOnce schedule range = ioProperty $ (=== replicate (size range) 1) <$> counts schedule range

chunksOf :: Schedule -> Range -> IO [(Int, Int)]
chunksOf schedule (Range from to) = do
  seen <- newIORef []
  parallelForChunksWith schedule from to $ \first end ->
    atomicModifyIORef' seen (\chunks -> ((first, end) : chunks, ()))
  sort <$> readIORef seen

chunksCover :: Schedule -> Range -> Property
chunksCover schedule range@(Range from to) = ioProperty $ do
  chunks <- chunksOf schedule range
  pure $ counterexample (show chunks) $
    if size range == 0 then null chunks else and
      [ map fst chunks == from : init (map snd chunks)
      , snd (last chunks) == to
      , all (uncurry (<)) chunks
      ]

chunkSizes :: Schedule -> Range -> Property
chunkSizes schedule range = ioProperty $ do
  sizes <- map (\(first, end) -> end - first) <$> chunksOf schedule range
  pure $ counterexample (show sizes) $ case schedule of
    StaticChunk n -> all (== max 1 n) (dropLast sizes)
    Dynamic n -> all (== max 1 n) (dropLast sizes)
    Guided n -> all (>= max 1 n) (dropLast sizes)
    _ -> True
  where dropLast xs = take (length xs - 1) xs

longLoop :: Assertion
longLoop = forM_ allSchedules $ \schedule -> do
  ran <- counts schedule (Range 0 300000)
  assertBool (show schedule) (all (== 1) ran)

nested :: Assertion
nested = do
  counter <- newIORef (0 :: Int)
  parallelForWith (Dynamic 1) 0 30 $ \_ -> parallelForWith (Dynamic 1) 0 30 $ \_ ->
    parallelFor 0 30 $ \_ -> atomicModifyIORef' counter (\n -> (n + 1, ()))
  readIORef counter >>= (@?= 27000)

manyCallers :: Assertion
manyCallers = do
  counter <- newIORef (0 :: Int)
  finished <- forM [1 .. 300 :: Int] $ \_ -> do
    done <- newEmptyMVar
    _ <- forkIO $ do
      replicateM_ 5 $ parallelForWith (Dynamic 3) 0 100 $ \_ ->
        atomicModifyIORef' counter (\n -> (n + 1, ()))
      putMVar done ()
    pure done
  mapM_ takeMVar finished
  readIORef counter >>= (@?= 150000)

-- | Iteration 0 waits for iteration 1 if two workers run at once; the loop must end in both cases.
blocking :: Assertion
blocking = do
  boxes <- replicateM 50 newEmptyMVar
  parallelForWith (Dynamic 1) 0 100 $ \i ->
    if i >= 50 then takeMVar (boxes !! (99 - i)) else putMVar (boxes !! i) ()
  emptied <- mapM isEmptyMVar boxes
  assertBool "every value was taken" (and emptied)

-- | With one thread, so that all of the loop runs in the calling thread, whose allocations are counted. A box for
-- each iteration would take 16 MB.
allocates :: Assertion
allocates = allocaArray 1000 $ \cells -> withNumThreads 1 $ do
  before <- getAllocationCounter
  parallelFor 0 1000000 $ \i -> pokeElemOff cells (i `rem` 1000) (i * 3)
  later <- getAllocationCounter -- it counts down
  assertBool (show (before - later) ++ " bytes") (before - later < 20000)

tooLong :: Assertion
tooLong = do
  ran <- newIORef False
  let body _ = writeIORef ran True
      too = refusesRange minBound maxBound
  too "parallelFor" (parallelFor minBound maxBound body)
  too "parallelForWith" (parallelForWith Static minBound maxBound body)
  too "parallelForChunks" (parallelForChunks minBound maxBound (\first _ -> body first))
  refusesRange (-2) maxBound "parallelReduce" (parallelReduce (+) 0 (-2) maxBound (\i -> i <$ body i) >>= print)
  too "parallelReduceChunks" (parallelReduceChunks (+) 0 minBound maxBound (\i _ -> i <$ body i) >>= print)
  too "reduceRange" (evaluate (reduceRange max 0 minBound maxBound id) >>= print)
  too "foldMapRange" (evaluate (foldMapRange minBound maxBound show) >>= putStrLn)
  readIORef ran >>= (@?= False)

-- | The exception knows the range, and where in this file the named function was called.
refusesRange :: Int -> Int -> String -> IO () -> Assertion
refusesRange from to name action = do
  outcome <- try action
  case outcome of
    Left e -> do
      (loopFrom e, loopTo e) @?= (from, to)
      let called = filter (isInfixOf "called at") (lines (show e))
      assertBool (show e) (length called == 1 && all (\l -> (name ++ ", called at") `isInfixOf` l && "Properties/Loop.hs" `isInfixOf` l) called)
    Right () -> assertFailure (name ++ ": the loop was accepted")
