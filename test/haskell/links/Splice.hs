{-# LANGUAGE TemplateHaskell #-}
-- | The compiler has loaded the package and computes the sum.
module Main (main) where

import GHC.OpenMP
import Language.Haskell.TH

main :: IO ()
main = putStrLn ("a sum of " ++ show total)
  where
    total = $(runIO (parallelReduce (+) 0 0 1001 pure) >>= \n -> litE (integerL (fromIntegral (n :: Int)))) :: Int
