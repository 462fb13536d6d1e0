{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE TemplateHaskell #-}
{-# LANGUAGE UnboxedTuples #-}
{-# OPTIONS_GHC -O2 -fplugin Test.Inspection.Plugin #-}

-- | Compiled loops have no tokens and no boxes left. Checked when this module is compiled.
module Inspection (tests) where

import Data.Array.Linear hiding (Array, RW)
import qualified Data.Array.Linear as Linear
import Data.Array.Linear.Unsafe
import Data.Monoid (Sum (..))
import Data.Primitive.Types (Prim)
import Foreign.Storable (peekElemOff, pokeElemOff)
import GHC.Exts
import GHC.OpenMP (parallelFor, parallelReduce)
import Prelude hiding (length, read)
import Test.Inspection
import Test.Tasty
import Test.Tasty.HUnit

-- | Writes i * 2 to each element, with checks, and adds the elements up without.
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

added :: Array s Double -> Int -> Double -> (Ur Double, RW s) %1 -> Ur Double
added array i s (Ur x, token) = sumUp array (i + 1) (s + x) token

-- | Loops without checks, and the same loops written by hand with primitive operations on unboxed values. They
-- differ only in types, which make no code; the token at the end of a loop is a constructor without a field.
written, writtenByHand :: Addr# -> Int -> MutableByteArray# RealWorld -> State# RealWorld -> ()
written address (I# n) m s = ended (writeUnchecked (Array address n m) 0 (RW s))
writtenByHand address (I# n) m s = ended (writePrim address n m 0# s)

ended :: RW s %1 -> ()
ended (RW _) = ()

writeUnchecked :: Array s Double -> Int -> RW s %1 -> RW s
writeUnchecked array i token
  | i == length array = token
  | otherwise = writeUnchecked array (i + 1) (unsafeWrite array i (fromIntegral i * 2) token)

writePrim :: Addr# -> Int# -> MutableByteArray# RealWorld -> Int# -> State# RealWorld -> RW s
writePrim address n m i s
  | isTrue# (i ==# n) = RW s
  | otherwise = case writeDoubleOffAddr# address i (int2Double# i *## 2.0##) s of
      s1 -> case touch# m s1 of s2 -> writePrim address n m (i +# 1#) s2

-- | The first element gets the sum of all.
summed, summedByHand :: Addr# -> Int -> MutableByteArray# RealWorld -> State# RealWorld -> ()
summed address (I# n) m s = ended (sumUnchecked (Array address n m) 0 0 (RW s))
summedByHand address (I# n) m s = ended (sumPrim address n m 0# 0.0## s)

sumUnchecked :: Array s Double -> Int -> Double -> RW s %1 -> RW s
sumUnchecked array i s token
  | i == length array = unsafeWrite array 0 s token
  | otherwise = addedUnchecked array i s (unsafeRead array i token)

addedUnchecked :: Array s Double -> Int -> Double -> (Ur Double, RW s) %1 -> RW s
addedUnchecked array i s (Ur x, token) = sumUnchecked array (i + 1) (s + x) token

sumPrim :: Addr# -> Int# -> MutableByteArray# RealWorld -> Int# -> Double# -> State# RealWorld -> RW s
sumPrim address n m i x s
  | isTrue# (i ==# n) = case writeDoubleOffAddr# address 0# x s of s1 -> case touch# m s1 of s2 -> RW s2
  | otherwise = case readDoubleOffAddr# address i s of
      (# s1, y #) -> case touch# m s1 of s2 -> sumPrim address n m (i +# 1#) (x +## y) s2

-- | Swaps the first and the last element, without checks.
swapEnds :: Array s Int -> RW s %1 -> RW s
swapEnds array token = swapped array (unsafeRead array 0 token)

swapped :: Array s Int -> (Ur Int, RW s) %1 -> RW s
swapped array (Ur x, token) = unsafeWrite array (length array - 1) x token

-- | C on two arrays, whose lengths come with their tokens: no tuple is built for the results.
copiedTwice :: (Effects s, Effects t) => Array s Double -> Array t Double -> RW s %1 -> RW t %1 -> RW s
copiedTwice a b s t = copiedBack a b (callC2 copyFirst a b s t)

copiedBack :: (Effects s, Effects t) => Array s Double -> Array t Double -> (Ur (), RW s, RW t) %1 -> RW s
copiedBack a b (Ur (), s, t) = lastOf (callC2 copyFirst b a t s)

lastOf :: (Ur (), RW t, RW s) %1 -> RW s
lastOf (Ur (), t, s) = thenToken (ended t) s

thenToken :: () %1 -> RW s %1 -> RW s
thenToken () s = s

copyFirst :: Ptr Double -> Int -> Ptr Double -> Int -> IO ()
copyFirst p _ q _ = peekElemOff p 0 >>= pokeElemOff q 0

-- | A fold of a monoid over a linear array.
summedUp :: Array s Double -> RW s %1 -> (Ur (Sum Double), RW s)
summedUp = parFoldMap Sum

-- | A loop whose body reads and writes memory: no element is boxed.
doubleAll :: Ptr Double -> Int -> IO ()
doubleAll p n = parallelFor 0 n (\i -> peekElemOff p i >>= \x -> pokeElemOff p i (2 * x))

-- | A reduction by chunks boxes one result for each chunk, and no element.
dotProduct :: Ptr Double -> Ptr Double -> Int -> IO Double
dotProduct p q n = parallelReduce (+) 0 0 n (\i -> (*) <$> peekElemOff p i <*> peekElemOff q i)

tests :: TestTree
tests = testGroup "inspection"
  [ testCase "a loop over a linear array builds no pair" $ holds $(inspectTest ('doubled `doesNotUse` '(,)))
  , testCase "it has no dictionary" $ holds $(inspectTest ('doubled `hasNoType` ''Prim))
  , testCase "unchecked access builds no pair" $ holds $(inspectTest ('swapEnds `hasNoType` ''(,)))
  , testCase "C on two arrays builds no triple" $ holds $(inspectTest ('copiedTwice `hasNoType` ''(,,)))
  , testCase "nor boxes an element" $ holds $(inspectTest ('copiedTwice `doesNotUse` 'D#))
  , testCase "a fold of a monoid has no dictionary" $ holds $(inspectTest ('summedUp `hasNoType` ''Monoid))
  , testCase "a parallel loop boxes no element" $ holds $(inspectTest ('doubleAll `doesNotUse` 'D#))
  , testCase "a reduction has no dictionary" $ holds $(inspectTest ('dotProduct `hasNoType` ''Num))
  , testCase "a loop of writes is the one by hand" $ holds $(inspectTest ('written ==- 'writtenByHand))
  , testCase "a loop of reads is the one by hand" $ holds $(inspectTest ('summed ==- 'summedByHand))
  , testCase "and computes what it should" $ doubled 10 @?= 90
  ]

holds :: Result -> Assertion
holds (Success _) = pure ()
holds (Failure why) = assertFailure why
