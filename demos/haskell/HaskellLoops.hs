{-# LANGUAGE CPP #-}

-- | The same sums by the compiler's own loop, by Haskell threads, by 'parallelReduceChunks', and by OpenMP
-- in C: of sines, each of which calls C's sin, and of hashes, which need registers only. Compiled twice, with
-- GHC's native code generator and with LLVM, to separate the effect of the code generator.
--
-- (In the native code generator's loops, operations on Doubles take up to four times as long if the upper halves
-- of vector registers are not zero. Its conversions and moves wait for them, and any earlier code may have
-- left them so. So the sums that need registers only use Ints.)
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.Bits (unsafeShiftR, xor)
import Demo
import GHC.OpenMP

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum" c_parallel_sum :: Int -> IO Double
foreign import ccall unsafe "kernels_hash_sum" c_hashes :: Int -> IO Int
foreign import ccall safe "kernels_parallel_hash_sum" c_parallel_hashes :: Int -> IO Int

sine :: Int -> Double
sine i = sin (fromIntegral i * 0.001)

hash :: Int -> Int
hash i = fromIntegral (mixed `unsafeShiftR` 40)
  where
    mixed = (h `xor` (h `unsafeShiftR` 32)) * 0xd6e8feb86659fd93
    h = fromIntegral i * 0x9e3779b97f4a7c15 :: Word

-- | Inlined, so that each kernel gets its own loop.
rangeSum :: Num a => (Int -> a) -> Int -> Int -> a
rangeSum f = \from to ->
  let go i s | i < to = go (i + 1) $! s + f i
             | otherwise = s
  in go from 0
{-# INLINE rangeSum #-}

sines :: Int -> Int -> Double
sines = rangeSum sine

hashes :: Int -> Int -> Int
hashes = rangeSum hash

forked :: Num a => (Int -> Int -> a) -> Int -> IO a
forked part count = do
  n <- getNumCapabilities
  boxes <- forM [0 .. n - 1] $ \k -> do
    box <- newEmptyMVar
    _ <- forkOn k (evaluate (part (count * k `quot` n) (count * (k + 1) `quot` n)) >>= putMVar box)
    pure box
  sum <$> mapM takeMVar boxes

-- | The sum by each method, for some lengths; medians in microseconds.
rowsOf :: String -> (a -> a -> Bool) -> (Int -> IO a) -> [Int -> IO a] -> IO ()
rowsOf name same reference ways = do
  rows <- forM [1000, 10000, 100000, 1000000] $ \count -> do
    expected <- reference count
    times <- inTurn (max 5 (min 200 (3000000 `quot` count)))
      [ Timed (name ++ ", " ++ show count ++ ", " ++ by) 1 (way count >>= check ("the sum of " ++ name) . same expected)
      | (by, way) <- zip names ways ]
    pure (show count : map micro times)
  table (((name ++ ", us") : names) : rows)
  where names = ["Haskell", "C", "forkOn", "parallelReduceChunks", "OpenMP"]

main :: IO ()
main = do
#ifdef LLVM
  putStrLn "Haskell compiled with LLVM"
#else
  putStrLn "Haskell compiled with GHC's native code generator"
#endif
  rowsOf "sines" near c_sum
    [ \n -> evaluate (sines 0 n), c_sum, forked sines
    , \n -> parallelReduceChunks (+) 0 0 n (\from to -> pure $! sines from to), c_parallel_sum ]
  rowsOf "hashes" (==) c_hashes
    [ \n -> evaluate (hashes 0 n), c_hashes, forked hashes
    , \n -> parallelReduceChunks (+) 0 0 n (\from to -> pure $! hashes from to), c_parallel_hashes ]
