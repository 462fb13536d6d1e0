-- | Vectors against the functions of the package vector.
module Properties.Vector (tests) where

import qualified Data.Vector as B
import qualified Data.Vector.Primitive as P
import qualified Data.Vector.Storable as S
import qualified Data.Vector.Unboxed as U
import GHC.OpenMP.Vector
import Properties.Schedules ()
import Test.Tasty
import Test.Tasty.QuickCheck

tests :: TestTree
tests = testGroup "vector"
  [ testProperty "generate, unboxed" $ \(Length n) -> parallelGenerate n (* 3) === U.generate (max 0 n) (* 3)
  , testProperty "generate, unboxed pairs" $ \(Length n) ->
      parallelGenerate n (\i -> (even i, i)) === U.generate (max 0 n) (\i -> (even i, i))
  , testProperty "generate, storable" $ \(Length n) ->
      parallelGenerate n fromIntegral === (S.generate (max 0 n) fromIntegral :: S.Vector Double)
  , testProperty "generate, primitive" $ \(Length n) ->
      parallelGenerate n negate === P.generate (max 0 n) negate
  , testProperty "generate, boxed" $ \(Length n) -> parallelGenerate n show === B.generate (max 0 n) show
  , testProperty "map" $ \(Length n) ->
      let v = U.enumFromN 5 n in parallelMap (+ 1) v === (U.convert (U.map (+ 1) v) :: S.Vector Int)
  , testProperty "generate, with a schedule" $ \schedule (Length n) ->
      parallelGenerateWith schedule n (* 3) === U.generate (max 0 n) (* 3)
  , testProperty "map, with a schedule" $ \schedule (Length n) ->
      let v = U.enumFromN 5 n in parallelMapWith schedule (+ 1) v === (U.convert (U.map (+ 1) v) :: S.Vector Int)
  , testProperty "zipWith" $ \(Length n) (Length m) ->
      let v = U.enumFromN 0 n :: U.Vector Int; w = S.enumFromN 7 m :: S.Vector Int
      in parallelZipWith (-) v w === (U.zipWith (-) v (U.convert w) :: U.Vector Int)
  , testProperty "fold" $ \(Length n) ->
      let v = B.generate n pure in parallelFold (++) [] v === B.toList (B.enumFromN (0 :: Int) n)
  ]

newtype Length = Length Int deriving (Show)

instance Arbitrary Length where
  arbitrary = Length <$> oneof [choose (0, 3), choose (60, 200), choose (0, 30000)]
