{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | A region of C code, one that calls Haskell, a Haskell loop and a task group, each a cost centre whose result is
-- checked; and Cmm that must be compiled as the module is. Prints what was found; a wrong result is an error.
module Main (main) where

import Control.Monad (unless)
import Data.IORef
import Foreign.C.Types (CInt (..), CLong (..))
import Foreign.Ptr (FunPtr)
import GHC.Exts (Word (..), Word#)
import GHC.OpenMP
import GHC.OpenMP.Callback (withCallback)
import GHC.OpenMP.Cmm (cmm)
import qualified GHC.OpenMP.Runtime as Runtime
import GHC.OpenMP.Task (both, taskGroup, TaskGroup)

foreign import ccall safe "profiled_sum" c_sum :: CLong -> IO CLong
foreign import ccall safe "profiled_each" c_each :: CLong -> FunPtr (CLong -> IO ()) -> IO ()
foreign import ccall unsafe "profiled_with" c_profiled :: IO CInt

[cmm| profiled# :: Word# -> Word#
(W_ none) {
#if defined(PROFILING)
    return (none + 1);
#else
    return (none);
#endif
}
|]

main :: IO ()
main = do
  inC <- {-# SCC "region_in_c" #-} c_sum count
  expect "a sum in C" (fromIntegral (total count)) inC
  calls <- newIORef 0
  {-# SCC "callbacks" #-} withCallback (\i -> atomicModifyIORef' calls (\n -> (n + i, ()))) (c_each 1000)
  readIORef calls >>= expect "a sum of calls from C" (fromIntegral (total 1000))
  inHaskell <- {-# SCC "loop_in_haskell" #-} parallelReduce (+) 0 0 (fromIntegral count) element
  expect "a sum in Haskell" (total count) inHaskell
  found <- {-# SCC "tasks" #-} taskGroup (fibonacci 20)
  expect "a number of Fibonacci's" 6765 found
  reached <- Runtime.regions
  expect "regions reach" Runtime.HaskellPool reached
  compiled <- c_profiled
  expect "Cmm compiled with profiling" (fromIntegral compiled) (W# (profiled# 0##))
  where count = 3000000

-- | 0 + 1 + ... + (n - 1)
total :: CLong -> Integer
total n = fromIntegral n * (fromIntegral n - 1) `div` 2

element :: Int -> IO Integer
element i = pure (fromIntegral i)
{-# NOINLINE element #-}

fibonacci :: Int -> TaskGroup -> IO Integer
fibonacci n group
  | n < 2 = pure (fromIntegral n)
  | otherwise = uncurry (+) <$> both group (fibonacci (n - 1) group) (fibonacci (n - 2) group)

expect :: (Eq a, Show a) => String -> a -> a -> IO ()
expect what expected found = do
  putStrLn (what ++ ": " ++ show found)
  unless (found == expected) (ioError (userError (what ++ ": got " ++ show found ++ ", expected " ++ show expected)))
