{-# LANGUAGE ForeignFunctionInterface #-}

-- | Workers are sparks.
module Main (main) where

import Control.Exception (evaluate)
import Foreign
import Foreign.C
import GHC.Conc (par, pseq)
import Harness
import System.IO.Unsafe (unsafePerformIO)

foreign export ccall driver_run :: CInt -> FunPtr Body -> IO ()

driver_run :: CInt -> FunPtr Body -> IO ()
driver_run workers body = evaluate (sparks (map one [0 .. workers - 1]))
  where one i = unsafePerformIO (call body i workers)
        {-# NOINLINE one #-}

-- | Sparks all but the first, which the caller evaluates; then waits for all.
sparks :: [()] -> ()
sparks [] = ()
sparks (mine : others) = foldr par (mine `pseq` foldr pseq () others) others

main :: IO ()
main = harness
