{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE TemplateHaskell #-}
{-# OPTIONS_GHC -O2 -fplugin Test.Inspection.Plugin #-}

-- | What is left of tokens and boxes in compiled loops: nothing. Checked when this module is compiled.
module Inspection (tests) where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import Data.Array.Linear.Unsafe (unsafeRead, unsafeWrite)
import Data.Primitive.Types (Prim)
import Prelude hiding (Read, length, read)
import Test.Inspection
import Test.Tasty
import Test.Tasty.HUnit

-- | Writes i * 2 everywhere, with checks, and adds up without.
doubled :: Int -> Double
doubled n = unur (alloc n (\array token -> token & writeUp array 0 & sumUp array 0 0))

writeUp :: Array s Double -> Int -> RW s %1 -> RW s
writeUp array i token
  | i == length array = token
  | otherwise = writeUp array (i + 1) (write array i (fromIntegral i * 2) token)

sumUp :: Array s Double -> Int -> Double -> RW s %1 -> Ur Double
sumUp array i s token
  | i == length array = done s token
  | otherwise = added array i s (Linear.read array i token)

added :: Array s Double -> Int -> Double -> Read s Double %1 -> Ur Double
added array i s (Read x token) = sumUp array (i + 1) (s + x) token

-- | The same without checks.
swapEnds :: Array s Int -> RW s %1 -> RW s
swapEnds array token = swapped array (unsafeRead array 0 token)

swapped :: Array s Int -> Read s Int %1 -> RW s
swapped array (Read x token) = unsafeWrite array (length array - 1) x token

tests :: TestTree
tests = testGroup "inspection"
  [ testCase "a loop over a linear array" $ holds $(inspectTest ('doubled `doesNotUse` 'Read))
  , testCase "it has no dictionary" $ holds $(inspectTest ('doubled `hasNoType` ''Prim))
  , testCase "unchecked access builds no result of a read" $ holds $(inspectTest ('swapEnds `hasNoType` ''Read))
  , testCase "and computes what it should" $ doubled 10 @?= 90
  ]

holds :: Result -> Assertion
holds (Success _) = pure ()
holds (Failure why) = assertFailure why
