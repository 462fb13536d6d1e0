-- | Times of pieces of work on the OpenMP pool: alone, beside a thread that allocates, and beside major collections. Shared by the
-- programs that measure this. The rows, in microseconds, go to the file that @DEMO_SAMPLES@ names.
module Collecting
  ( Settings
  , settingsOf
  , Work (..)
  , workload
  , timedRegions
  , valueOf
  , withLive
  , measure
  , collections
  , report
  ) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import qualified Data.IntMap.Strict as IntMap
import Data.IORef
import Data.Maybe (fromMaybe, isNothing)
import Demo
import Foreign.C.Types (CDouble (..), CLong (..))
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (FunPtr, Ptr)
import GHC.Stats
import System.Exit (die)
import System.Mem (performMajorGC)
import Text.Printf (printf)
import Text.Read (readMaybe)

foreign import ccall safe "collections_regions"
  c_regions :: Int -> Int -> Int -> FunPtr (CLong -> IO CDouble) -> Ptr Double -> IO Double
foreign import ccall unsafe "collections_alone" c_alone :: Int -> Int -> IO Double
foreign import ccall safe "collections_compute" c_compute :: Double -> IO ()

-- ------------------------------------------------------------------------------------ settings

-- | Numbers by name.
type Settings = String -> Int

-- | [@pieces@] the least number of pieces of work in each situation
-- [@collections@] the least number of collections beside the work
-- [@live@] megabytes of live objects
-- [@few@] 1: only the first kind of work
-- [@unbound@] 1: from a thread that is not bound
-- [@pauses@] the number of collections, without any work; replaces the settings above
-- [@pool@] for half of these collections: 1: beside the idle pool; 2: right after a region
-- [@percent@] the part of all pieces, collections, pauses and megabytes
defaults :: [(String, Int)]
defaults = [ ("pieces", 500), ("collections", 20), ("live", 2), ("few", 0), ("unbound", 0), ("pauses", 0), ("pool", 0), ("percent", 100) ]

settingsOf :: [String] -> IO Settings
settingsOf arguments = maybe (die usage) (pure . lookUp) (mapM (pair . break (== '=')) arguments)
  where
    pair (key, '=' : value) | key `elem` map fst defaults = (,) key <$> (readMaybe value >>= \v -> if v >= 0 then Just v else Nothing)
    pair _ = Nothing
    lookUp given key
      | key `elem` ["pieces", "collections", "live", "pauses"] = (number * find "percent" + 99) `quot` 100
      | otherwise = number
      where
        number = find key
        find name = fromMaybe 0 (lookup name (given ++ defaults))
    usage = "usage: KEY=NUMBER... with keys " ++ unwords (map fst defaults)

-- ------------------------------------------------------------------------------------ work

-- | A name, and an action that does some pieces of the work, checks them, and returns their times in microseconds.
data Work = Work String (IO [Double])

-- | A piece that keeps the processors of all Capabilities busy for some 400 microseconds: its iterations, steps and sum.
workload :: IO (Int, Int, Double)
workload = do
  workers <- getNumCapabilities
  let (iterations, steps) = (32 * workers, 10000)
  expected <- c_alone iterations steps
  pure (iterations, steps, expected)

-- | Starts @count@ regions in one safe call. C measures their times.
timedRegions :: Int -> (Int, Int, Double) -> FunPtr (CLong -> IO CDouble) -> IO [Double]
timedRegions count (iterations, steps, expected) value = allocaArray count $ \times -> do
  c_regions count iterations steps value times >>= check "a region's sum" . (== expected)
  map (/ 1000) <$> peekArray count times

-- | The Haskell function that a region calls.
valueOf :: CLong -> IO CDouble
valueOf = pure . fromIntegral

-- ------------------------------------------------------------------------------------ the heap

-- | Runs the action with that many megabytes of small live objects.
withLive :: Settings -> IO a -> IO a
withLive settings action = do
  let size = settings "live" * 11000
      kept = IntMap.fromDistinctAscList [(i, i + 1) | i <- [1 .. size]]
  void (evaluate (IntMap.size kept))
  result <- action
  check "the heap was kept" (maybe (size == 0) ((== size + 1) . snd) (IntMap.lookupMax kept))
  pure result

-- | The time of a major collection, as the thread that asks for it sees it. Empty if the nonmoving collector has not finished
-- the previous one, which the program can only tell with @+RTS -T@.
collect :: IO [Double]
collect = do
  before <- majors
  time <- timed performMajorGC
  after <- majors
  pure [time | before < after || isNothing before]

majors :: IO (Maybe Int)
majors = getRTSStatsEnabled >>= \kept -> if kept then Just . fromIntegral . major_gcs <$> getRTSStats else pure Nothing

-- | The times of that many collections.
collections :: Int -> IO () -> IO [Double]
collections count before = go []
  where
    go found | length found >= count = pure found
    go found = do
      before
      new <- collect
      when (null new) (threadDelay 2000)
      go (new ++ found)

-- ------------------------------------------------------------------------------------ what is measured

-- | The times of pieces of work in one situation, and of the collections beside them.
data Times = Times { worked :: [Double], collected :: [Double] }

instance Semigroup Times where
  Times a b <> Times c d = Times (a <> c) (b <> d)

-- | Each work alone, beside allocation, beside collections, and beside a thread that computes for as long as a collection takes. The
-- last case shows the cost of one processor less.
measure :: Settings -> [Work] -> IO ()
measure settings works = inThread (settings "unbound" == 1) . withLive settings $
  mapM (ofWork settings) (if settings "few" == 1 then take 1 works else works) >>=
    table . (["pieces of about 400 us", "median us", "p99 us", "longest us"] :) . concat

ofWork :: Settings -> Work -> IO [[String]]
ofWork settings (Work name work) = do
  _ <- piecesUntil 20 (pure True) work -- afterwards the runtime has its threads
  size <- newIORef 2000
  found <- foldr1 (zipWith (<>)) <$> replicateM turns (turn settings size work)
  let situations = zip ["alone", "beside allocation", "beside major collections", "beside as much computing"] (map worked found)
      alone = worked (head found)
  forM_ (init situations) $ \(what, times) -> report (name ++ ", " ++ what) times
  forM_ (tail situations) $ \(what, times) -> record (name ++ ", " ++ what ++ ", p99 / alone") [quantile 0.99 times / quantile 0.99 alone]
  report (name ++ ", a collection") (concatMap collected found)
  pure [(name ++ ", " ++ what) : map (printf "%.0f") [quantile 0.5 t, quantile 0.99 t, maximum t] | (what, t) <- situations]

-- | Some of the pieces in each situation.
turn :: Settings -> IORef Int -> IO [Double] -> IO [Times]
turn settings size work = do
  alone <- some
  allocating <- beside (allocate size) some
  collecting <- besideCollections (part "pieces") (part "collections") work
  computing <- beside (c_compute (1000 * quantile 0.5 (collected collecting)) >> threadDelay rest) some
  pure [alone, allocating, collecting, computing]
  where
    part key = (settings key + turns - 1) `quot` turns
    some = (`Times` []) <$> piecesUntil (part "pieces") (pure True) work

-- | The situations take turns, so that changes of the machine affect all of them alike.
turns :: Int
turns = 5

-- | Microseconds between two collections: the time of some twenty pieces of work.
rest :: Int
rest = 8000

besideCollections :: Int -> Int -> IO [Double] -> IO Times
besideCollections least many work = do
  times <- newIORef []
  done <- beside (collect >>= \t -> modifyIORef' times (t ++) >> threadDelay rest)
                 (piecesUntil least ((>= many) . length <$> readIORef times) work)
  Times done <$> readIORef times

-- | Repeats the work for at least that many pieces, and until the condition holds.
piecesUntil :: Int -> IO Bool -> IO [Double] -> IO [Double]
piecesUntil least enough work = go []
  where
    go found = do
      done <- (&& length found >= least) <$> enough
      if done then pure found else work >>= go . (++ found)

report :: String -> [Double] -> IO ()
report name times = forM_ [("p50", quantile 0.5), ("p99", quantile 0.99), ("max", maximum)] $ \(what, f) ->
  record (name ++ ", " ++ what) [f times]

-- ------------------------------------------------------------------------------------ threads

-- | Runs the action in a thread that is not bound, or in this thread.
inThread :: Bool -> IO () -> IO ()
inThread False action = action
inThread True action = do
  done <- newEmptyMVar
  _ <- forkFinally action (putMVar done)
  takeMVar done >>= either (die . show) pure
