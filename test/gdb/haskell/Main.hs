-- | Stops in C functions that a Haskell loop calls, in the calling thread and in a helper, by safe and by unsafe
-- calls; in a region that Haskell starts; and in C that a Haskell callback of C calls.
module Main (main) where

import Foreign.Ptr (FunPtr)
import GHC.OpenMP

foreign import ccall unsafe "body_unsafe" bodyUnsafe :: Int -> IO ()
foreign import ccall safe "body_safe" bodySafe :: Int -> IO ()
foreign import ccall safe "region" region :: IO ()
foreign import ccall safe "call_back" callBack :: FunPtr (Int -> IO Int) -> IO ()
foreign import ccall safe "many_arguments" manyArguments :: Int -> Int -> Int -> Int -> Int -> Int -> Int -> Int -> Int -> IO ()
foreign import ccall "wrapper" wrap :: (Int -> IO Int) -> IO (FunPtr (Int -> IO Int))

main :: IO ()
main = do
  parallelFor 0 2000 $ \i -> bodyUnsafe i >> bodySafe i
  region
  wrap (\i -> i + 1 <$ manyArguments 1 2 3 4 5 6 7 8 i) >>= callBack
