{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -O2 #-}

-- | The cost of loops with Haskell bodies, beside Haskell's own ways to run a loop. Every row is the median (and
-- 90th percentile) of many runs, which take turns with the runs that they are compared with; every result
-- is checked. Run with @+RTS -N2@.
module Main (main) where

import Control.Concurrent
import Control.Concurrent.Async (forConcurrently_)
import Control.Exception
import Control.Monad
import Control.Parallel.Strategies (parListChunk, rseq, using)
import Data.List (sort, transpose)
import qualified Data.Vector.Storable as V
import Foreign.C.Types (CLong (..))
import Foreign.Marshal.Array (mallocArray)
import Foreign.Ptr
import Foreign.Storable
import GHC.Clock (getMonotonicTimeNSec)
import GHC.OpenMP
import GHC.OpenMP.Batch
import GHC.OpenMP.Callback
import qualified GHC.OpenMP.Runtime as Runtime
import qualified GHC.OpenMP.Settings as Settings
import System.Timeout (timeout)
import Text.Printf (printf)

foreign import ccall safe "regions_each" c_each :: CLong -> FunPtr (CLong -> IO ()) -> IO ()

-- ------------------------------------------------------------------------------------ measuring

-- | Nanoseconds of one run.
once :: IO () -> IO Double
once action = do
  before <- getMonotonicTimeNSec
  action
  after <- getMonotonicTimeNSec
  pure (fromIntegral (after - before))

-- | The times of each action; the actions run in turn. Tail recursive: a safe call walks its thread's stack, and a
-- deep stack would make the action look slower.
inTurn :: Int -> [IO ()] -> IO [[Double]]
inTurn runs actions = transpose <$> collect runs []
  where
    collect :: Int -> [[Double]] -> IO [[Double]]
    collect 0 rows = pure rows
    collect n rows = mapM once actions >>= \row -> collect (n - 1) (row : rows)

median, p90 :: [Double] -> Double
median = quantile 0.5
p90 = quantile 0.9

quantile :: Double -> [Double] -> Double
quantile q xs = sort xs !! min (length xs - 1) (floor (q * fromIntegral (length xs)))

-- ------------------------------------------------------------------------------------ bodies

-- | Takes two or three nanoseconds: a store.
store :: Ptr Int -> Int -> IO ()
store cells i = pokeElemOff cells i (i * 3)
{-# INLINE store #-}

-- | Takes about ten nanoseconds.
tenNanoseconds :: Ptr Int -> Int -> IO ()
tenNanoseconds cells i = pokeElemOff cells i (go (21 :: Int) i)
  where go 0 !x = x
        go k !x = go (k - 1) (x * 6364136223846793005 + k)
{-# INLINE tenNanoseconds #-}

sequential :: Int -> (Int -> IO ()) -> IO ()
sequential n body = go 0
  where go i | i < n = body i >> go (i + 1)
             | otherwise = pure ()
{-# INLINE sequential #-}

-- | Two of Haskell's own threads execute half of the range each.
forked :: Int -> (Int -> IO ()) -> IO ()
forked n body = do
  done <- newEmptyMVar
  _ <- forkOn 1 (range (n `quot` 2) n >> putMVar done ())
  range 0 (n `quot` 2)
  takeMVar done
  where range i end | i < end = body i >> range (i + 1) end
                    | otherwise = pure ()
{-# INLINE forked #-}

concurrently :: Int -> (Int -> IO ()) -> IO ()
concurrently n body = forConcurrently_ [(0, n `quot` 2), (n `quot` 2, n)] (uncurry range)
  where range i end | i < end = body i >> range (i + 1) end
                    | otherwise = pure ()
{-# INLINE concurrently #-}

-- ------------------------------------------------------------------------------------ the rows

main :: IO ()
main = do
  cells <- mallocArray 1000000 :: IO (Ptr Int)
  emptyLoop cells
  lengths cells
  crossover cells
  perIteration cells
  sparks
  callbacks
  batches
  interrupts
  manyThreads

emptyLoop :: Ptr Int -> IO ()
emptyLoop _ = do
  [mine, forked'] <- inTurn 2000 [parallelForWith Static 0 2 (\_ -> pure ()), forked 2 (\_ -> pure ())]
  printf "empty loop: parallelFor %.2f us (p90 %.2f), forkOn + MVar %.1f us (p90 %.1f)\n"
    (median mine / 1e3) (p90 mine / 1e3) (median forked' / 1e3) (p90 forked' / 1e3)

lengths :: Ptr Int -> IO ()
lengths cells = do
  putStrLn "loop of stores, us:   length  sequential  parallelFor  forkOn+MVar  async"
  forM_ [1, 10, 100, 1000, 10000, 100000, 1000000] $ \n -> do
    rows <- inTurn (if n > 50000 then 100 else 400)
      [ sequential n (store cells), parallelFor 0 n (store cells)
      , forked n (store cells), concurrently n (store cells) ]
    [a, b, c, d] <- pure (map ((/ 1e3) . median) rows)
    printf "                  %10d %11.2f %12.2f %12.2f %6.2f\n" n a b c d
  right <- and <$> forM [0 .. 999999] (\i -> (== i * 3) <$> peekElemOff cells i)
  unless right (throwIO (userError "the loops computed something else"))

crossover :: Ptr Int -> IO ()
crossover cells = do
  putStrLn "bodies of about 10 ns:   length  sequential us  parallelFor us  ratio"
  forM_ [50, 100, 150, 200, 300, 500, 1000] $ \n -> do
    rows <- inTurn 2000 [sequential n (tenNanoseconds cells), parallelFor 0 n (tenNanoseconds cells)]
    [a, b] <- pure (map median rows)
    printf "                       %8d %14.2f %15.2f %6.2f\n" n (a / 1e3) (b / 1e3) (b / a)

-- | The cost of an iteration in the plain loop, with one worker and with two.
perIteration :: Ptr Int -> IO ()
perIteration cells = do
  let n = 20000
  [plain, alone, two] <- inTurn 500
    [ sequential n (store cells), Settings.withNumThreads 1 (parallelFor 0 n (store cells)), parallelFor 0 n (store cells) ]
  let each xs = median xs / fromIntegral n
  printf "per iteration, ns: plain loop %.2f, one worker %.2f, two workers %.2f (of two processors: %.2f)\n"
    (each plain) (each alone) (each two) (2 * each two)

sparks :: IO ()
sparks = do
  putStrLn "sum of f over a range, us:  length  sequential  parallelReduce  sparks"
  forM_ [100, 1000, 10000, 100000] $ \n -> do
    let f i = (i * i) `rem` 7
        chunk = max 1 (n `quot` 16)
        inSparks = sum (map sumOf [(i, min n (i + chunk)) | i <- [0, chunk .. n - 1]] `using` parListChunk 1 rseq)
        sumOf (a, b) = go 0 a where go !s i | i < b = go (s + f i) (i + 1)
                                            | otherwise = s :: Int
        expected = sumOf (0, n)
        check x = unless (x == expected) (throwIO (userError "wrong sum"))
    rows <- inTurn 300
      [ evaluate (sumOf (0, n + 0 * length (show n))) >>= check
      , parallelReduce (+) 0 0 n (pure . f) >>= check
      , evaluate inSparks >>= check ]
    [a, b, c] <- pure (map ((/ 1e3) . median) rows)
    printf "                          %8d %11.2f %15.2f %7.2f\n" n a b c

callbacks :: IO ()
callbacks = do
  let run = withCallback (\i -> if i < (0 :: CLong) then throwIO Overflow else pure ()) (c_each n)
  [one, two] <- inTurn 30 [Settings.withNumThreads 1 run, Settings.withNumThreads 2 run]
  printf "C calls Haskell per element, ns: one thread %.0f, two threads %.0f\n"
    (median one / n') (median two / n')
  where n' = 20000 :: Double
        n = 20000 :: CLong

-- | Nanoseconds for one call of a function that does almost nothing.
batches :: IO ()
batches = do
  let many = 1000 :: Int
      xs = V.enumFromN 1 many :: V.Vector Double
      inBatches n = forM_ [1 .. many `quot` n] (\_ -> batched p_halve n (Each (V.unsafeTake n xs)))
  rows <- inTurn 500 [ V.mapM_ c_safe xs, V.mapM_ c_unsafe xs, inBatches 10, inBatches 100, inBatches 1000 ]
  let each k = median (rows !! k) / 1000 :: Double
  printf "a call, ns: safe %.1f, unsafe %.1f, in batches of 10 %.1f, of 100 %.2f, of 1000 %.2f\n"
    (each 0) (each 1) (each 2) (each 3) (each 4)

foreign import ccall safe "calls_halve" c_safe :: Double -> IO Double
foreign import ccall unsafe "calls_halve" c_unsafe :: Double -> IO Double
foreign import ccall "&calls_halve" p_halve :: FunPtr (Double -> IO Double)

interrupts :: IO ()
interrupts = do
  late <- replicateM 15 $ do
    before <- getMonotonicTimeNSec
    outcome <- timeout 20000 (parallelFor 0 1000000000000 (\_ -> pure ()))
    after <- getMonotonicTimeNSec
    when (outcome == Just ()) (throwIO (userError "the loop ended"))
    pure (fromIntegral (after - before) / 1e6 :: Double)
  printf "timeout of 20 ms on a loop without end: returns after %.1f ms (p90 %.1f)\n" (median late) (p90 late)

manyThreads :: IO ()
manyThreads = do
  boxes <- forM [1 .. 64 :: Int] $ \k -> do
    box <- newEmptyMVar
    _ <- forkIO (replicateM_ 20 (parallelFor 0 2000 (\_ -> pure ()) >> c_regions) >> putMVar box k)
    pure box
  mapM_ takeMVar boxes
  n <- Runtime.workers
  status <- readFile "/proc/self/status"
  let threads = [drop 9 l | l <- lines status, take 8 l == "Threads:"]
  printf "64 Haskell threads with loops and C regions: %d workers in the pool, %s OS threads in all\n"
    n (unwords threads)

foreign import ccall safe "regions_team_size" c_regions_ :: IO Int

c_regions :: IO ()
c_regions = void c_regions_
