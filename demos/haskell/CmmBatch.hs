{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | Batched calls by hand, in Cmm: what 'GHC.OpenMP.Batch.batched' does with a loop in C. The code saves the
-- thread's whole state before it gives the Capability away, and loads it again afterwards. Code that saves only the
-- stack pointer leaves the nursery open, and other threads allocate over this thread's objects. So threads
-- that allocate check their heap meanwhile.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import qualified Data.IntMap.Strict as IntMap
import qualified Data.Vector.Storable as V
import qualified Data.Vector.Storable.Mutable as M
import Demo
import GHC.Exts
import GHC.IO (IO (..))
import GHC.OpenMP.Batch
import GHC.OpenMP.Cmm
import Text.Printf (printf)

[cmm| calls# :: Addr# -> Addr# -> Word# -> State# RealWorld -> (# State# RealWorld, Word# #)
(W_ from, W_ to, W_ count)
{
    W_ i, token, base;
    D_ x, y;

    SAVE_THREAD_STATE();
    (token) = ccall suspendThread(BaseReg "ptr", 0);
    i = 0;
again:
    if (i < count) {
        x = D_[from + i * 8];
        (y) = ccall kernels_slow_if_negative(x);
        D_[to + i * 8] = y;
        i = i + 1;
        goto again;
    }
    (base) = ccall resumeThread(token);
    BaseReg = base;
    LOAD_THREAD_STATE();
    return (i);
}
|]

foreign import ccall "&kernels_slow_if_negative" p_kernel :: FunPtr (Double -> IO Double)

inCmm :: V.Vector Double -> IO (V.Vector Double)
inCmm xs = do
  out <- M.unsafeNew (V.length xs)
  V.unsafeWith xs $ \(Ptr from) -> M.unsafeWith out $ \(Ptr to) -> do
    n <- IO $ \s -> case calls# from to count s of (# s1, w #) -> (# s1, W# w #)
    check "the number of calls" (fromIntegral n == V.length xs)
  V.unsafeFreeze out
  where !(W# count) = fromIntegral (V.length xs)

main :: IO ()
main = do
  rows <- forM [10, 100, 1000] $ \n -> do
    let xs = V.enumFromN 1 n
    times <- inTurn 200
      [ Timed ("Cmm, batch of " ++ show n) 1000
          (replicateM_ (1000 `quot` n) (inCmm xs >>= check "the results" . (== xs)))
      , Timed ("C, batch of " ++ show n) 1000
          (replicateM_ (1000 `quot` n) (batched p_kernel n (Each xs) >>= check "the results" . (== xs))) ]
    pure (show n : map (printf "%.2f" . (* 1000) . (/ fromIntegral (n * (1000 `quot` n)))) times)
  table (["batch", "Cmm, ns a call", "C, ns a call"] : rows)
  stop <- newIORef False
  finished <- forM [1 .. 3] (allocating stop)
  replicateM_ 100 $ do
    let xs = V.map negate (V.enumFromN 1 3) -- other threads allocate during such calls
    found <- inCmm xs
    check "the results" (found == xs)
  writeIORef stop True
  rounds <- mapM takeMVar finished
  printf "100 batches of 3 calls of 100 us, beside three threads that allocate: %d heaps checked, all whole\n"
    (sum rounds)

-- | Builds maps and adds up their elements until the flag is set.
allocating :: IORef Bool -> Int -> IO (MVar Int)
allocating stop k = do
  done <- newEmptyMVar
  _ <- forkIO (go 0 >>= putMVar done)
  pure done
  where
    go :: Int -> IO Int
    go n = do
      size <- evaluate (200 + n `rem` 100)
      let m = IntMap.fromList [(i, i * k) | i <- [1 .. size]]
      check "the heap" (sum (IntMap.elems m) == k * (size * (size + 1) `quot` 2))
      over <- readIORef stop
      if over then pure (n + 1) else go (n + 1)
