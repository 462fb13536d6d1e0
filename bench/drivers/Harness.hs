{-# LANGUAGE ForeignFunctionInterface #-}

-- | Calls harness.c, for drivers in Haskell.
module Harness (Body, call, harness) where

import Control.Monad (when)
import Foreign
import Foreign.C
import System.Environment
import System.Exit

type Body = CInt -> CInt -> IO ()

foreign import ccall safe "dynamic" call :: FunPtr Body -> Body
foreign import ccall safe harness_main :: CInt -> Ptr CString -> IO CInt

harness :: IO ()
harness = do
  arguments <- (:) <$> getProgName <*> getArgs
  status <- withMany withCString arguments $ \strings ->
    withArrayLen0 nullPtr strings $ \n argv -> harness_main (fromIntegral n) argv
  when (status /= 0) $ exitWith (ExitFailure (fromIntegral status))
