-- | Haskell threads call a BLAS at the same time; each call is an OpenMP region.
--
-- usage: BlasCallers WORKERS callers=N products=N +RTS -NWORKERS     leaves rows in milliseconds
module Main (main) where

import Control.Concurrent
import Control.Exception (finally)
import Control.Monad
import Data.IORef
import Data.Maybe (mapMaybe)
import Demo (check, quantile, record, timed)
import Foreign.C.Types (CInt (..), CLong (..))
import Foreign.Marshal.Alloc (free)
import Foreign.Ptr (Ptr)
import System.Environment (getArgs)
import System.Exit (ExitCode (..), exitWith)
import System.IO (hPutStrLn, stderr)
import Text.Read (readMaybe)

foreign import ccall safe "products_begin" c_begin :: CLong -> IO ()
foreign import ccall unsafe "products_make" c_make :: IO (Ptr ())
foreign import ccall unsafe "products_spoil" c_spoil :: Ptr () -> IO ()
foreign import ccall safe "products_multiply" c_multiply :: Ptr () -> IO ()
foreign import ccall unsafe "products_is_right" c_isRight :: Ptr () -> IO CInt

main :: IO ()
main = do
  arguments <- getArgs
  let number key = lookup key (mapMaybe setting arguments)
  case (number "callers", number "products") of
    (Just callers, Just products) | callers > 0, products >= callers -> measure callers products
    _ -> do
      hPutStrLn stderr "usage: BlasCallers WORKERS callers=N products=N     with a product for each caller at least"
      exitWith (ExitFailure 2)

-- | "callers=8"
setting :: String -> Maybe (String, Int)
setting word = case break (== '=') word of
  (key, '=' : value) -> (,) key <$> readMaybe value
  _ -> Nothing

measure :: Int -> Int -> IO ()
measure callers products = do
  c_begin 0
  times <- newIORef []
  total <- timed $ do
    ends <- forM [0 .. callers - 1] $ \k -> do
      end <- newEmptyMVar
      _ <- forkIO (caller times (products * (k + 1) `quot` callers - products * k `quot` callers) `finally` putMVar end ())
      pure end
    mapM_ takeMVar ends
  each <- readIORef times
  check "the number of products" (length each == products)
  record "total" [total / 1000]
  record "product p50" [quantile 0.5 each / 1000]
  record "product p99" [quantile 0.99 each / 1000]

-- | Computes that many products into one matrix. Each is compared; spoiling and comparing the matrix are not timed.
caller :: IORef [Double] -> Int -> IO ()
caller times count = do
  result <- c_make
  replicateM_ count $ do
    c_spoil result
    time <- timed (c_multiply result)
    right <- c_isRight result
    when (right /= 0) $ atomicModifyIORef' times (\list -> (time : list, ()))
  free result
