-- | The plate of heat.c in a Haskell program. A rank's loops have Haskell bodies. Its messages are sent and received by a region
-- in C, by a Haskell thread beside a loop, and by the bodies of a loop; all of this runs on the rank's one pool. The result
-- must equal the serial one, bit by bit. Rank 0 prints one line.
--
-- The thread that called MPI_Init_thread must call MPI_Finalize. @main@ is a bound thread, so one OS thread, the first of the
-- process, makes all its calls of C.
--
-- usage: Heat [steps=N] [size=N] [die=exception|region]     steps: of each way; die: how the last rank ends
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.Word (Word64)
import Foreign.C.String (CString, withCString)
import Foreign.C.Types (CInt (..), CLong (..))
import Foreign.Ptr (Ptr)
import Foreign.Storable (peekElemOff, pokeElemOff)
import GHC.OpenMP
import qualified GHC.OpenMP.Runtime as Runtime
import System.Environment (getArgs)
import System.Exit (die)
import System.IO
import Text.Read (readMaybe)

-- | @struct heat@.
data Plate

foreign import ccall safe "part_begin" c_begin :: IO CInt
foreign import ccall unsafe "part_is_main" c_is_main :: IO CInt
foreign import ccall safe "part_end" c_end :: IO ()
foreign import ccall safe "part_abort" c_abort :: CInt -> IO ()
foreign import ccall safe "part_plate" c_plate :: CLong -> IO (Ptr Plate)
foreign import ccall unsafe "part_rank" c_rank :: IO CInt
foreign import ccall unsafe "part_ranks" c_ranks :: IO CInt
foreign import ccall unsafe "part_rows" c_rows :: IO CLong
foreign import ccall unsafe "part_now" c_now :: IO (Ptr Double)
foreign import ccall unsafe "part_next" c_next :: IO (Ptr Double)
foreign import ccall unsafe "heat_swap" c_swap :: Ptr Plate -> IO ()
foreign import ccall safe "part_exchange_in_region" c_exchange_in_region :: IO ()
foreign import ccall safe "part_die_in_region" c_die_in_region :: IO ()
foreign import ccall safe "heat_exchange" c_exchange :: Ptr Plate -> IO ()
foreign import ccall safe "part_post" c_post :: IO CInt
foreign import ccall safe "part_wait" c_wait :: CInt -> IO ()
foreign import ccall unsafe "heat_digest_of" c_digest_of :: Ptr Plate -> CLong -> CLong -> CLong -> IO Word64
foreign import ccall safe "heat_digest_by_pieces" c_digest_by_pieces :: Ptr Plate -> IO Word64
foreign import ccall safe "part_sum" c_sum :: Word64 -> IO Word64
foreign import ccall safe "part_is_serial" c_is_serial :: Word64 -> CLong -> IO CInt
foreign import ccall safe "part_report" c_report :: CInt -> CString -> CInt -> IO ()

-- ------------------------------------------------------------------------------------ arguments

data Settings = Settings { steps, size :: Int, death :: Maybe String }

settingsOf :: [String] -> Either String Settings
settingsOf = foldM set (Settings 25 256 Nothing)
  where
    set found argument = case break (== '=') argument of
      ("steps", '=' : n) | Just k <- positive n -> Right found { steps = k }
      ("size", '=' : n) | Just k <- positive n -> Right found { size = k }
      ("die", '=' : how) | how `elem` ["exception", "region"] -> Right found { death = Just how }
      _ -> Left argument
    positive text = readMaybe text >>= \n -> if n >= 1 then Just n else Nothing

-- ------------------------------------------------------------------------------------ the plate

-- | Computes rows @from <= row < to@ of the next state from the current one, as heat_row does.
rowsOf :: Int -> Int -> Int -> IO ()
rowsOf n from to = do
  now <- c_now
  next <- c_next
  parallelFor from to $ \row -> forColumns n (cell now next (row * (n + 2)))
  where
    cell now next place j = do
      let at = peekElemOff now (place + j)
      middle <- at
      above <- peekElemOff now (place + j - (n + 2))
      below <- peekElemOff now (place + j + (n + 2))
      left <- peekElemOff now (place + j - 1)
      right <- peekElemOff now (place + j + 1)
      pokeElemOff next (place + j) (middle + 0.2 * (above + below + left + right - 4 * middle))

forColumns :: Int -> (Int -> IO ()) -> IO ()
forColumns n body = go 1
  where
    go j | j <= n = body j >> go (j + 1)
         | otherwise = pure ()
{-# INLINE forColumns #-}

-- | The first and the last row need the rows that other ranks sent. A rank with one row computes it once.
edgesOf :: Int -> Int -> IO ()
edgesOf n rows = rowsOf n 1 2 >> when (rows > 1) (rowsOf n rows (rows + 1))

-- | The ways to exchange edges and compute the inner rows.
ways :: Ptr Plate -> Int -> Int -> [IO ()]
ways plate n rows = [inRegion, beside, inBodies]
  where
    inner = rowsOf n 2 rows
    inRegion = c_exchange_in_region >> inner >> edgesOf n rows
    -- On any OS thread to which GHC assigns the Haskell thread.
    beside = do
      done <- newEmptyMVar
      _ <- forkFinally (c_exchange plate) (putMVar done)
      inner
      takeMVar done >>= either throwIO pure
      edgesOf n rows
    -- The order of the bodies does not matter: all messages are sent before a body waits for one.
    inBodies = do
      pieces <- c_post
      parallelFor 0 (fromIntegral pieces) (c_wait . fromIntegral)
      inner
      edgesOf n rows

digest :: Ptr Plate -> Int -> Int -> IO Word64
digest plate n rows =
  parallelReduce (+) 0 1 (rows + 1) (\row -> c_digest_of plate (fromIntegral row) 0 (fromIntegral n)) >>= c_sum

-- ------------------------------------------------------------------------------------ the program

run :: Settings -> IO Bool
run settings = do
  plate <- c_plate (fromIntegral n)
  rows <- fromIntegral <$> c_rows
  served <- Runtime.regions
  capabilities <- getNumCapabilities
  lastRank <- (==) <$> (subtract 1 <$> c_ranks) <*> c_rank
  when lastRank (mapM_ perish (death settings))
  let every = ways plate n rows
  forM_ every $ \way -> replicateM_ (steps settings) (way >> c_swap plate)
  found <- digest plate n rows
  byPieces <- c_digest_by_pieces plate
  same <- c_is_serial found (fromIntegral (length every * steps settings))
  mine <- c_is_main
  let right = same == 1 && byPieces == found && mine == 1
  withCString (show served) $ \text -> c_report (fromIntegral capabilities) text (if right then 1 else 0)
  pure right
  where
    n = size settings
    perish "region" = c_die_in_region
    perish _ = parallelFor 0 100 (\i -> when (i == 50) (throwIO (userError "iteration 50 of a loop was told to throw")))

-- | If one rank alone gave up, the others would wait for ever.
main :: IO ()
main = do
  settings <- settingsOf <$> getArgs >>= either (\wrong -> die ("Heat: '" ++ wrong ++ "': expected steps=N, size=N, die=exception or die=region")) pure
  enough <- c_begin
  right <- handle givenUp $ do
    when (enough /= 1) (throwIO (userError "this MPI does not give MPI_THREAD_MULTIPLE"))
    run settings
  c_end
  unless right (die "Heat: the result is wrong")
  where
    givenUp :: SomeException -> IO Bool
    givenUp e = hPutStrLn stderr ("Heat: " ++ show e) >> hFlush stderr >> c_abort 7 >> pure False
