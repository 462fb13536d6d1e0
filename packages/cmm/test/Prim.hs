{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | Primitive operations: those of the package, and one of a quotation.
module Main (main) where

import Control.Concurrent
import Control.Monad
import GHC.Exts
import GHC.OpenMP.Cmm
import GHC.OpenMP.Prim
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

[cmm| plus# :: Word# -> Word# -> Word#
(W_ a, W_ b) {
    return (a + b);
}
|]

[cmm|
divide# :: Word# -> Word# -> (# Word#, Word# #)
(W_ a, W_ b) {
    return (a / b, a % b);
}
|]

[cmm| next# :: forall s. State# s -> Word# -> (# State# s, Word# #)
(W_ a) {
    return (a + 1);
}
|]

main :: IO ()
main = defaultMain . localOption (mkTimeout 120000000) $ testGroup "primitive operations"
  [ testCase "the Capability's number" $ do
      capabilities <- getNumCapabilities
      forM_ [0 .. capabilities - 1] $ \k -> do
        box <- newEmptyMVar
        _ <- forkOn k (capabilityNumber >>= putMVar box)
        takeMVar box >>= (@?= k)
  , testCase "OpenMP's number outside of regions" $ threadNumber >>= (@?= 0)
  , testCase "the Capability becomes wanted" $ do
      let wait n = capabilityIsWanted >>= \wanted ->
            if wanted || n == (0 :: Int) then pure wanted else wait (n - 1)
      wait 2000000000 >>= (@?= True) -- until the end of a time slice
  , testProperty "a quotation" $ \(W# a) (W# b) -> W# (plus# a b) === W# a + W# b
  , testProperty "two results" $ \(W# a) (Positive d) -> case d of
      W# b -> case divide# a b of (# q, r #) -> (W# q, W# r) === W# a `quotRem` W# b
  , testProperty "a type variable that is named" $ \(W# a) -> case runRW# (\s -> next# s a) of
      (# _, b #) -> W# b === W# a + 1
  ]
