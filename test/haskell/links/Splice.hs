{-# LANGUAGE TemplateHaskell #-}
-- | The sum is computed by the compiler, which has loaded the package.
module Main (main) where

import GHC.OpenMP
import Language.Haskell.TH

main :: IO ()
main = putStrLn ("a sum of " ++ show total)
  where
    total = $(runIO (parallelReduce (+) 0 0 1001 pure) >>= \n -> litE (integerL (fromIntegral (n :: Int)))) :: Int
