{-# LANGUAGE ScopedTypeVariables #-}

-- | Loops over vectors give the results of the functions of the package vector.
module Properties.Vector (tests) where

import Control.Exception
import Data.Bits (shiftR, xor)
import Data.IORef
import Data.List (sort, sortBy)
import Data.Monoid (Sum (..))
import Data.Ord (comparing)
import qualified Data.Vector as B
import qualified Data.Vector.Generic as G
import qualified Data.Vector.Mutable as BM
import qualified Data.Vector.Primitive as P
import qualified Data.Vector.Storable as S
import qualified Data.Vector.Storable.Mutable as SM
import qualified Data.Vector.Unboxed as U
import qualified Data.Vector.Unboxed.Mutable as UM
import GHC.OpenMP.Settings (withNumThreads)
import GHC.OpenMP.Vector
import Properties.Schedules ()
import System.IO.Unsafe (unsafePerformIO)
import System.Mem (getAllocationCounter)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
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
  , testProperty "foldMap, of a monoid that does not commute" $ \(Length n) ->
      let v = U.enumFromN 0 n :: U.Vector Int in parallelFoldMap (pure :: Int -> [Int]) v === U.toList v
  , testProperty "foldMap of lists is their concatenation" $ \(xs :: [[Int]]) -> parallelFoldMap id (B.fromList xs) === concat xs
  , testGroup "element by element" elementwise
  , testGroup "scan" scans
  , testGroup "filter" filters
  , testGroup "search" searches
  , testGroup "sort" sorts
  , testGroup "in place" inPlace
  , testCase "foldMap allocates nothing for an element" allocates
  , testCase "an exception of an element" throwing
  , testCase "a fold under evaluation survives a timeout" survivesTimeout
  ]

-- | A box for each element would take 16 MB.
allocates :: Assertion
allocates = withNumThreads 1 $ do
  v <- evaluate (S.enumFromN 0 1000000 :: S.Vector Double)
  before <- getAllocationCounter
  Sum found <- evaluate (parallelFoldMap Sum v)
  later <- getAllocationCounter -- it counts down
  found @?= 499999500000
  assertBool (show (before - later) ++ " bytes") (before - later < 1000000)

throwing :: Assertion
throwing = do
  outcome <- try (evaluate (parallelFoldMap (\i -> Sum (1000 `div` (i - 500))) (U.enumFromN 0 1000 :: U.Vector Int)))
  outcome @?= Left DivideByZero

-- | The value is shared: interrupting one thread must not spoil it for the other.
survivesTimeout :: Assertion
survivesTimeout = do
  let v = S.enumFromN 0 4000000 :: S.Vector Int
      value = getSum (parallelFoldMap (Sum . (`rem` 3)) v)
  _ <- timeout 1000 (evaluate value)
  _ <- timeout 3000 (evaluate value)
  evaluate value >>= (@?= 3999999)

elementwise :: [TestTree]
elementwise =
  [ testProperty "imap, with a schedule" $ \schedule (Ints v) ->
      parallelImapWith schedule (-) v === (U.convert (U.imap (-) v) :: S.Vector Int)
  , testProperty "imap, primitive to boxed" $ \(Ints v) ->
      parallelImap (,) (U.convert v :: P.Vector Int) === B.imap (,) (U.convert v)
  , testProperty "izipWith" $ \(Ints v) (Ints w) ->
      parallelIzipWith (\i x y -> i * x - y) v (U.convert w :: P.Vector Int) === U.izipWith (\i x y -> i * x - y) v w
  , testProperty "zipWith3" $ \(Ints u) (Ints v) (Ints w) ->
      parallelZipWith3 (,,) u (U.convert v :: S.Vector Int) (U.convert w :: B.Vector Int) === U.zipWith3 (,,) u v w
  , testCase "map evaluates the elements, and no more than the function wants" $
      B.length (parallelMap Just (B.replicate 100 (undefined :: Int))) @?= 100
  ]

-- | The operator of a monoid that does not commute: a function's application after another one.
andThen :: (Int, Int) -> (Int, Int) -> (Int, Int)
andThen (a, b) (c, d) = (a * c, b * c + d)

-- | Before 0.13 the package vector had an error for an empty one.
unlessEmpty :: G.Vector v a => (v a -> v a) -> v a -> v a
unlessEmpty f v = if G.null v then v else f v

scans :: [TestTree]
scans =
  [ testProperty "scanl1, unboxed, of an operator that does not commute" $ \(Ints v) ->
      let pairs = U.map (\x -> (x, x + 1)) v in parallelScanl1 andThen pairs === unlessEmpty (U.scanl1 andThen) pairs
  , testProperty "scanl1, boxed" $ \(Ints v) -> let w = U.convert v :: B.Vector Int in parallelScanl1 (+) w === unlessEmpty (B.scanl1 (+)) w
  , testProperty "scanl1, storable" $ \(Ints v) -> let w = U.convert v :: S.Vector Int in parallelScanl1 max w === unlessEmpty (S.scanl1 max) w
  , testProperty "scanl1, primitive" $ \(Ints v) -> let w = U.convert v :: P.Vector Int in parallelScanl1 (+) w === unlessEmpty (P.scanl1 (+)) w
  , testProperty "scanl" $ \(Ints v) x -> parallelScanl (+) x v === U.scanl (+) x v
  , testProperty "scanl, of an operator that does not commute" $ \(Ints v) x ->
      let pairs = U.map (\y -> (y, y + 1)) v in parallelScanl andThen x pairs === U.scanl andThen x pairs
  , testProperty "prescanl" $ \(Ints v) x -> parallelPrescanl (+) x v === U.prescanl (+) x v
  , testProperty "postscanl" $ \(Ints v) x -> parallelPostscanl (+) x v === U.postscanl (+) x v
  , testProperty "scanl, boxed" $ \(Ints v) -> let w = U.convert v :: B.Vector Int in parallelScanl (+) 1 w === B.scanl (+) 1 w
  , testProperty "scanl1 of doubles has the same bits with one thread and with more" $ \(Ints v) ->
      let w = U.map (\x -> 1 / (fromIntegral x + 0.3)) v :: U.Vector Double
      in ioProperty $ (===) <$> withNumThreads 1 (evaluate (parallelScanl1 (+) w)) <*> evaluate (parallelScanl1 (+) w)
  , testCase "an exception of the operator" $
      divides (parallelScanl1 (\x y -> if y == 900 then x `div` 0 else x + y) (U.enumFromN 0 1000 :: U.Vector Int))
  ]

filters :: [TestTree]
filters =
  [ testProperty "filter, with a schedule" $ \schedule k (Ints v) ->
      let p x = (x `xor` k) `mod` 3 == 0 in parallelFilterWith schedule p v === U.filter p v
  , testProperty "filter keeps all, none, few" $ \(Ints v) -> conjoin
      [ parallelFilter (const True) v === v
      , parallelFilter (const False) v === U.empty
      , parallelFilter ((== 0) . (`mod` 100)) v === U.filter ((== 0) . (`mod` 100)) v ]
  , testProperty "filter, boxed" $ \(Ints v) -> let w = U.convert v :: B.Vector Int in parallelFilter even w === B.filter even w
  , testProperty "filter, storable" $ \(Ints v) -> let w = U.convert v :: S.Vector Int in parallelFilter even w === S.filter even w
  , testProperty "filter, primitive" $ \(Ints v) -> let w = U.convert v :: P.Vector Int in parallelFilter even w === P.filter even w
  , testProperty "filter, truth values" $ \(Ints v) -> let w = U.map even v in parallelFilter id w === U.filter id w
  , testProperty "ifilter" $ \(Ints v) -> parallelIfilter (\i x -> even (i + x)) v === U.ifilter (\i x -> even (i + x)) v
  , testProperty "mapMaybe, with a schedule" $ \schedule k (Ints v) ->
      let f x = if (x `xor` k) `mod` 3 == 0 then Nothing else Just (x - k)
      in parallelMapMaybeWith schedule f v === (U.mapMaybe f v :: U.Vector Int)
  , testProperty "mapMaybe, unboxed to boxed" $ \(Ints v) ->
      parallelMapMaybe (\x -> if even x then Just (show x) else Nothing) v
        === B.mapMaybe (\x -> if even x then Just (show x) else Nothing) (U.convert v)
  , testProperty "imapMaybe" $ \(Ints v) ->
      let f i x = if even x then Just (i, x) else Nothing in parallelImapMaybe f v === U.imapMaybe f v
  , testCase "an exception of the predicate" $ divides (parallelFilter (\x -> x `div` (900 - x) > 3) (U.enumFromN 0 1000 :: U.Vector Int))
  ]

searches :: [TestTree]
searches =
  [ testProperty "findIndex, unboxed" $ \(Fun _ p) (Ints v) -> parallelFindIndex p v === U.findIndex p v
  , testProperty "findIndex of one match" $ \(Length n) (NonNegative i) ->
      parallelFindIndex (== i) (U.enumFromN 0 (max 0 n) :: U.Vector Int) === if i < n then Just i else Nothing
  , testProperty "findIndex is the first of several" $ \(Length n) (Positive d) ->
      forAll (choose (0, n)) $ \i ->
        let p x = x >= i && (x - i) `rem` d == 0 in parallelFindIndex p (B.enumFromN 0 n) === B.findIndex p (B.enumFromN 0 n)
  , testProperty "find, storable" $ \(Ints v) x -> parallelFind (> x) (U.convert v :: S.Vector Int) === U.find (> x) v
  , testProperty "elem and notElem, primitive" $ \(Ints v) x ->
      let w = U.convert v :: P.Vector Int in (parallelElem x w, parallelNotElem x w) === (P.elem x w, P.notElem x w)
  , testProperty "all and any" $ \(Ints v) x ->
      (parallelAll (< x) v, parallelAny (> x) v) === (U.all (< x) v, U.any (> x) v)
  , testProperty "what comes behind the first match may throw an exception" $ \(Length n) -> forAll (choose (0, n)) $ \i ->
      let v = B.generate (n + 1) (\k -> if k > i then throw Overflow else k) in parallelFindIndex (== i) v === Just i
  , testProperty "an exception before the first match is thrown" $ \(Length n) -> forAll (choose (0, n)) $ \i ->
      let v = B.generate (n + 2) (\k -> if k == i then throw DivideByZero else k) in ioProperty (True <$ divides (parallelFindIndex (> i) v))
  , testProperty "all and any stop at bottoms as in vector" $ \(Length n) ->
      let v = B.snoc (B.replicate n True) False B.++ B.replicate 70 undefined in not (parallelAll id v) && parallelAny not v
  , testCase "a search stops early" stopsEarly
  , testCase "a search under evaluation survives a timeout" $ do
      let value = parallelFindIndex (\x -> x `rem` 4000001 == 3999999) (S.enumFromN 0 4000000 :: S.Vector Int)
      _ <- timeout 1000 (evaluate value)
      _ <- timeout 3000 (evaluate value)
      evaluate value >>= (@?= Just 3999999)
  ]

-- | Each element counts itself when it is evaluated.
stopsEarly :: Assertion
stopsEarly = do
  evaluated <- newIORef (0 :: Int)
  let count i = unsafePerformIO (i <$ atomicModifyIORef' evaluated (\k -> (k + 1, ())))
      v = B.generate 600000 count
  parallelFindIndex (== 20000) v @?= Just 20000
  seen <- readIORef evaluated
  assertBool (show seen ++ " elements") (seen > 20000 && seen < 600000)

sorts :: [TestTree]
sorts =
  [ testProperty "sort, unboxed" $ \(Ints v) -> U.toList (parallelSort v) === sort (U.toList v)
  , testProperty "sort, storable" $ \(Ints v) -> S.toList (parallelSort (U.convert v)) === sort (U.toList v)
  , testProperty "sort, primitive" $ \(Ints v) -> P.toList (parallelSort (U.convert v)) === sort (U.toList v)
  , testProperty "sort, boxed" $ \(Ints v) -> B.toList (parallelSort (U.convert v)) === sort (U.toList v)
  , testProperty "sort of what is sorted, forward and backward" $ \(Length n) ->
      let v = U.enumFromN 0 n :: U.Vector Int in (parallelSort v, parallelSort (U.reverse v)) === (v, v)
  , testProperty "sortBy is stable" $ \(Ints v) (Positive d) ->
      let w = U.imap (\i x -> (x `rem` d, i)) v
      in U.toList (parallelSortBy (comparing fst) w) === sortBy (comparing fst) (U.toList w)
  , testProperty "sortBy keeps every element under any comparison" $ \(Fun _ f) (Length n) ->
      let order x y = [LT, EQ, GT] !! (f (x `rem` 7, y `rem` 5) `mod` 3)
      in sort (U.toList (parallelSortBy order (U.enumFromN 0 n))) === [0 .. max 0 n - 1]
  , testCase "an exception of an element" $ divides (parallelSort (B.generate 1000 (\i -> 1000 `div` (i - 500))))
  , testCase "a single element is evaluated" $ divides (parallelSort (B.singleton (1 `div` 0 :: Int)))
  ]

inPlace :: [TestTree]
inPlace =
  [ testProperty "modifyM_ sees each index once" $ \schedule (Length n) -> ioProperty $ do
      v <- UM.replicate (max 0 n) (0 :: Int)
      parallelModifyMWith_ schedule (\i x -> pure (x + i + 1)) v
      (=== U.enumFromN 1 (max 0 n)) <$> U.unsafeFreeze v
  , testProperty "modifyM_ of a slice, boxed" $ \(Ints v) -> ioProperty $ do
      w <- B.thaw (U.convert v)
      parallelModifyM_ (\i x -> pure (x - i)) (BM.drop 3 w)
      (=== B.imap (\i x -> if i < 3 then x else x - (i - 3)) (U.convert v)) <$> B.unsafeFreeze w
  , testCase "an exception in modifyM_" $ do
      v <- SM.replicate 1000 (0 :: Int)
      outcome <- try (parallelModifyM_ (\i _ -> if i == 700 then throwIO DivideByZero else pure i) v)
      outcome @?= Left DivideByZero
  , testCase "modifyM_ evaluates" $ do
      v <- BM.replicate 100 (0 :: Int)
      outcome <- try (parallelModifyM_ (\_ x -> pure (1 `div` x)) v)
      outcome @?= Left DivideByZero
  ]

divides :: a -> Assertion
divides value = try (evaluate value) >>= either (@?= DivideByZero) (\_ -> assertFailure "there was no exception")

newtype Length = Length Int deriving (Show)

instance Arbitrary Length where
  arbitrary = Length <$> oneof
    [choose (0, 3), choose (60, 200), (\k d -> max 0 (64 * k + d)) <$> choose (0, 40) <*> choose (-1, 1), choose (0, 30000)]

-- | Numbers of these lengths, from a range in which many are equal, or few.
newtype Ints = Ints (U.Vector Int) deriving (Show)

instance Arbitrary Ints where
  arbitrary = do
    Length n <- arbitrary
    width <- elements [1, 10, 1000000]
    seed <- arbitrary
    let mixed i = let x = (i + seed) * 0x9e3779b97f4a7c1 in ((x `shiftR` 29) `xor` x) * 0x3f58476d1ce4e5b
    pure (Ints (U.generate n (\i -> (mixed i `shiftR` 20) `mod` (2 * width + 1) - width)))
