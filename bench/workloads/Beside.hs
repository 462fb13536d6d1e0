{-# LANGUAGE BangPatterns #-}

-- | A Haskell program in which some threads compute while others start OpenMP regions by safe foreign calls. The loader decides
-- which OpenMP runtime serves them. Measures the time of one mixture, and the time that one thread takes for all its work.
--
-- usage: Beside WORKERS [KEY=NUMBER]... +RTS -NWORKERS     rows go to the file that DEMO_SAMPLES names, in microseconds
--
-- [@haskell@, @units@] the number of threads that compute and allocate, and of units for each
-- [@callers@, @regions@, @steps@] the number of threads that start regions, of regions for each, and of steps in a region
-- [@values@] the number of values that two callers exchange inside their regions
-- [@chain@] 1: the regions of each caller wait inside for those of the next caller
-- [@busy@] the number of other processes that compute meanwhile on the same processors
-- [@percent@] the part of the units and regions
module Main (main) where

import Control.Concurrent
import Control.Exception (SomeException, catch, evaluate, finally)
import Control.Monad
import Data.Int (Int64)
import Data.IORef
import Data.Maybe (fromMaybe)
import Data.Word (Word64)
import Demo (check, quantile, record, timed)
import Foreign.C.Types (CBool (..), CLong (..))
import Foreign.Ptr (FunPtr, Ptr, freeHaskellFunPtr, nullFunPtr, nullPtr)
import GHC.Clock (getMonotonicTimeNSec)
import System.Environment (getArgs)
import System.Exit (die)
import Text.Read (readMaybe)

foreign import ccall safe "beside_region" c_region :: Int64 -> FunPtr Inside -> Ptr () -> IO Word64
foreign import ccall unsafe "beside_alone" c_alone :: Int64 -> IO Word64
foreign import ccall unsafe "beside_os_threads" c_os_threads :: IO Int
foreign import ccall unsafe "busy_start" c_busy_start :: CLong -> IO CBool
foreign import ccall unsafe "busy_stop" c_busy_stop :: IO ()
foreign import ccall "wrapper" newInside :: Inside -> IO (FunPtr Inside)

type Inside = Ptr () -> IO ()

main :: IO ()
main = do
  arguments <- getArgs
  capabilities <- getNumCapabilities
  case parse arguments of
    Just (workers, settings) | workers == capabilities -> measure workers settings
    _ -> die ("usage: Beside WORKERS [KEY=NUMBER]... +RTS -NWORKERS     with keys " ++ unwords keys)

-- ------------------------------------------------------------------------------------ what is measured

-- | Numbers by name.
type Settings = String -> Int

keys :: [String]
keys = ["haskell", "units", "callers", "regions", "steps", "values", "chain", "busy", "percent"]

parse :: [String] -> Maybe (Int, Settings)
parse (n : rest) = do
  workers <- positive n
  pairs <- mapM (pair . break (== '=')) rest
  let given key = fromMaybe (if key == "percent" then 100 else 0) (lookup key pairs)
      part key = (given key * given "percent" + 99) `quot` 100
  pure (workers, \key -> if key `elem` ["units", "regions"] then part key else given key)
  where
    pair (key, '=' : value) | key `elem` keys = (,) key <$> (readMaybe value >>= \v -> if v >= 0 then Just v else Nothing)
    pair _ = Nothing
    positive text = readMaybe text >>= \v -> if v >= 1 then Just v else Nothing
parse [] = Nothing

measure :: Int -> Settings -> IO ()
measure workers settings = do
  (results, unitTime) <- unitsAlone
  (expected, regionTime) <- regionsAlone (fromIntegral (settings "steps"))
  let units = settings "haskell" * settings "units"
      regions = settings "callers" * settings "regions"
      bound = (fromIntegral units * unitTime + fromIntegral regions * regionTime) / fromIntegral workers
  most <- newIORef 0
  insides <- meetings settings
  inThread (replicateM_ 3 (region settings expected nullFunPtr)) >>= takeMVar -- afterwards the runtime has its threads
  c_busy_start (fromIntegral (settings "busy")) >>= check "the busy processes" . (== 1)
  start <- now
  computing <- mapM (inThread . compute results (settings "units")) [1 .. settings "haskell"]
  calling <- mapM (inThread . call settings most expected) insides
  computed <- mapM takeMVar computing
  (called, times) <- unzip <$> mapM takeMVar calling
  c_busy_stop
  report start bound computed called (concat times)
  readIORef most >>= \n -> record "OS threads" [fromIntegral n]

report :: Double -> Double -> [Double] -> [Double] -> [Double] -> IO ()
report start bound computed called times = do
  let total = maximum (computed ++ called) - start
  record "total" [total]
  record "bound" [bound]
  record "total / bound" [total / bound]
  record "region p50" [quantile 0.5 times]
  record "region p99" [quantile 0.99 times]
  unless (null computed) $ do
    record "Haskell threads done" [maximum computed - start]
    record "regions done" [maximum called - start]

-- ------------------------------------------------------------------------------------ threads that compute

seeds :: Int
seeds = 8

-- | Takes some 300 microseconds, and allocates 100 KB.
unit :: Int -> IO Int
unit n = evaluate (sum (map (`rem` 7) (filter odd [n .. n + 190000])) + sum (reverse [n .. n + 1500]))
{-# NOINLINE unit #-}

-- | The result of each seed's unit, and the time of a unit while nothing else runs. Ten units are timed together,
-- because about every tenth includes a collection.
unitsAlone :: IO ([Int], Double)
unitsAlone = do
  results <- mapM unit [0 .. seeds - 1]
  times <- forM [1 .. 7 :: Int] $ \_ -> timed (mapM_ (right results) [1 .. 10])
  pure (results, quantile 0.5 times / 10)

right :: [Int] -> Int -> IO ()
right results n = unit seed >>= check "a unit" . (== results !! seed)
  where seed = n `rem` seeds

compute :: [Int] -> Int -> Int -> IO Double
compute results units number = mapM_ (right results . (+ number)) [1 .. units] >> now

-- ------------------------------------------------------------------------------------ threads that call

regionsAlone :: Int64 -> IO (Word64, Double)
regionsAlone steps = do
  expected <- c_alone steps
  times <- forM [1 .. 40 :: Int] $ \_ -> timed (c_alone steps >>= check "a sum" . (== expected))
  pure (expected, quantile 0.5 times)

region :: Settings -> Word64 -> FunPtr Inside -> IO ()
region settings expected inside = c_region (fromIntegral (settings "steps")) inside nullPtr >>= check "a region's sum" . (== expected)

-- | The end of the last region, and the time of each region.
call :: Settings -> IORef Int -> Word64 -> Maybe Inside -> IO (Double, [Double])
call settings most expected inside = do
  made <- maybe (pure nullFunPtr) newInside inside
  times <- go made (settings "regions") [] `finally` when (made /= nullFunPtr) (freeHaskellFunPtr made)
  end <- now
  look
  pure (end, times)
  where
    go :: FunPtr Inside -> Int -> [Double] -> IO [Double]
    go _ 0 times = pure times
    go made n times = do
      when (n == settings "regions" `quot` 2) look
      !time <- timed (region settings expected made)
      go made (n - 1) (time : times)
    look = c_os_threads >>= \n -> atomicModifyIORef' most (\m -> (max m n, ()))

-- | What the regions of each caller wait for, if they wait for anything.
meetings :: Settings -> IO [Maybe Inside]
meetings settings
  | settings "values" > 0 = concat <$> replicateM (callers `quot` 2) (map Just <$> exchange (settings "values"))
  | settings "chain" > 0 = do
      boxes <- map Just <$> replicateM (callers - 1) newEmptyMVar
      pure (zipWith3 (\n before next -> Just (link n before next)) [callers, callers - 1 ..] (Nothing : boxes) (boxes ++ [Nothing]))
  | otherwise = pure (replicate callers Nothing)
  where callers = settings "callers"

-- | Two callers give each other one value after the other.
exchange :: Int -> IO [Inside]
exchange values = do
  one <- newEmptyMVar
  two <- newEmptyMVar
  pure [swap one two, swap two one]
  where
    swap mine theirs _ = forM_ [1 .. values] $ \v -> do
      putMVar mine v
      takeMVar theirs >>= check "the value from the other region" . (== v)

-- | Gets the number of its followers from the next caller, and tells the previous one.
link :: Int -> Maybe (MVar Int) -> Maybe (MVar Int) -> Inside
link expected before next _ = do
  following <- maybe (pure 0) takeMVar next
  check "the length of the chain" (following + 1 == expected)
  mapM_ (`putMVar` (following + 1)) before

-- ------------------------------------------------------------------------------------ threads and times

-- | The result of the action; if the action throws, the program ends.
inThread :: IO a -> IO (MVar a)
inThread action = do
  result <- newEmptyMVar
  parent <- myThreadId
  _ <- forkIO ((action >>= putMVar result) `catch` \e -> throwTo parent (e :: SomeException))
  pure result

-- | In microseconds.
now :: IO Double
now = (/ 1000) . fromIntegral <$> getMonotonicTimeNSec
