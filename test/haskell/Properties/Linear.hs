{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Linear arrays against lists.
module Properties.Linear (tests) where

import Control.Exception
import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import Data.Array.Linear.Matrix (matrix, parRows)
import qualified Data.Array.Linear.Matrix as Matrix
import Data.Int (Int32)
import Data.List (isInfixOf)
import qualified Data.List as List
import Data.Primitive.ByteArray (newByteArray, newPinnedByteArray, readByteArray)
import Data.Primitive.Types (Prim)
import qualified Data.Vector.Primitive as P
import qualified Data.Vector.Storable as S
import qualified Data.Vector.Storable.Mutable as M
import Data.Word (Word8)
import Foreign.Marshal.Array (peekArray, withArrayLen)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.Storable (peekElemOff, pokeElemOff)
import Prelude hiding (Read, length, read)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding ((.&.))

tests :: TestTree
tests = testGroup "linear arrays"
  [ testProperty "written, then frozen (Double)" (\(xs :: [Double]) -> frozen xs === xs)
  , testProperty "written, then frozen (Word8)" (\(xs :: [Word8]) -> frozen xs === xs)
  , testProperty "written, then frozen (Int32)" (\(xs :: [Int32]) -> frozen xs === xs)
  , testProperty "written, then frozen (Char)" (\(xs :: [Char]) -> frozen xs === xs)
  , testProperty "frozen as a storable vector" (\(xs :: [Double]) -> frozenStorable xs === xs)
  , testProperty "created" (\(xs :: [Int32]) -> P.toList (create (count xs) (\array -> store array 0 xs)) === xs)
  , testProperty "created as a storable vector" (\(xs :: [Double]) ->
      S.toList (createStorable (count xs) (\array -> store array 0 xs)) === xs)
  , testProperty "created in IO" createdInIO
  , testProperty "fill" (\(NonNegative n) (x :: Int) -> filled n x === replicate n x)
  , testProperty "read back" (\(xs :: [Int]) -> readBack xs === xs)
  , testProperty "modify" (\(xs :: [Int]) -> modified xs === map (* 3) xs)
  , testProperty "split, write each half, combine" splitHalves
  , testProperty "parCombine" parallelHalves
  , testProperty "freeze one half" freezeHalf
  , testProperty "chunksOf" (chunks chunksOf)
  , testProperty "parChunksOf" (chunks parChunksOf)
  , testProperty "parGenerate" (\(Small n) -> generated n === map (* 3) [0 .. max 0 n - 1])
  , testProperty "parMap" mappedInPlace
  , testProperty "parMapInto" mappedInto
  , testProperty "parFold" (\(xs :: [Int]) -> folded xs === map (+ 1) xs)
  , testCase "long arrays, in parallel" longArrays
  , testProperty "rows of a matrix" matrixRows
  , testProperty "elements of a matrix" matrixElements
  , testProperty "memory of C" borrowed
  , testProperty "a storable vector, in place" inPlace
  , testProperty "a pinned byte array, in place" bytesInPlace
  , testCase "C among reads and writes" cInOrder
  , testCase "C on one half" cOnHalf
  , testGroup "errors"
      [ raises "read" "Linear.read: got index 5, expected 0 <= index < 5" (valueOf 5 (\array token ->
          token & Linear.read array 5 & \case Read x token' -> token' & done x))
      , raises "a negative index" "Linear.write: got index -1" (valueOf 5 (\array token ->
          token & write array (-1) 0 & done 0))
      , raises "split" "Linear.split: got position 6, expected 0 <= position <= 5" (valueOf 5 (\array token ->
          token & split array 6 & \case Slices _ l _ r -> combine l r & done 0))
      , raises "a negative size" "Linear.alloc: got size -1" (valueOf (-1) (\_ token -> token & done 0))
      , raises "a size that is too large" "Linear.alloc: got size" (valueOf maxBound (\_ token -> token & done 0))
      , raises "parMapInto" "parMapInto: got arrays of 2 and 3 elements" (valueOf 2 (\from f ->
          alloc 3 (\to t -> bothEnded (parMapInto id from to f t))))
      , raisesIO "a null pointer" "withPtr: got a null pointer, expected one to 4 elements"
          (withPtr (nullPtr :: Ptr Int) 4 (\array token -> token & Linear.read array 0 & \case
            Read x token' -> token' & done x))
      , raisesIO "a byte array that moves" "withByteArray: got an array that is not pinned"
          (newByteArray 64 >>= \bytes -> withByteArray bytes (\array token ->
            token & write array 0 (1 :: Int) & done 0))
      , raises "a matrix of another size" "Matrix.matrix: got 2 rows and 2 columns for 5 elements"
          (valueOf 5 (\array token -> token & done (Matrix.rows (matrix 2 2 array))))
      ]
  ]

createdInIO :: [Int] -> Property
createdInIO xs = ioProperty $ do
  made <- createStorableIO (count xs) (\array token -> token & store array 0 xs & callC array addOne & \case Read _ end -> end)
  also <- createIO (count xs) (\array token -> token & store array 0 xs & callC array addOne & \case Read _ end -> end)
  pure ((S.toList made, P.toList also) === (map (+ 1) xs, map (+ 1) xs))

generated :: Int -> [Int]
generated n = P.toList (unur (alloc (max 0 n) (\array token -> token & parGenerate array (* 3) & freeze array)))

mappedInPlace :: [Int32] -> Property
mappedInPlace xs = P.toList mapped === map (* 7) xs
  where
    mapped = unur (alloc (List.length xs) (\array token ->
      token & store array 0 xs & parMap array (* 7) & freeze array))

mappedInto :: [Word8] -> Property
mappedInto xs = mapped === (xs, map fromIntegral xs)
  where
    n = List.length xs
    mapped = unur (alloc n (\from f -> alloc n (\to t -> f & store from 0 xs & into from to t)))
    into :: Array s Word8 -> Array t Double -> RW t %1 -> RW s %1 -> Ur ([Word8], [Double])
    into from to t s = ended from to (parMapInto fromIntegral from to s t)
    ended :: Array s Word8 -> Array t Double -> Tokens s t %1 -> Ur ([Word8], [Double])
    ended from to (Tokens s t) = lists (freeze from s) (freeze to t)
    lists :: Ur (P.Vector Word8) %1 -> Ur (P.Vector Double) %1 -> Ur ([Word8], [Double])
    lists (Ur x) (Ur y) = Ur (P.toList x, P.toList y)

-- | Seven bytes more than the elements take.
bytesInPlace :: [Int] -> Property
bytesInPlace xs = ioProperty $ do
  bytes <- newPinnedByteArray (8 * List.length xs + 7)
  size <- withByteArray bytes (\array token -> token & store array 0 xs & parMap array (+ 1) & done (length array))
  ys <- mapM (readByteArray bytes) [0 .. size - 1]
  pure (ys === map (+ 1) xs)

-- | Order is kept, though lists do not commute.
folded :: [Int] -> [Int]
folded xs = unur (alloc (List.length xs) (\array token ->
  token & store array 0 xs & parFold array (++) [] (\x -> [x + 1]) & \case Read ys end -> end & done ys))

longArrays :: Assertion
longArrays = result @?= 3 * sum [0 .. n - 1] + n
  where
    n = 300000
    result = unur (alloc n (\array token -> token & parGenerate array (* 3) & parMap array (+ 1)
      & parFold array (+) 0 id & \case Read x end -> end & done x)) :: Int

valueOf :: Int -> (forall s. Array s Int -> RW s %1 -> Ur Int) -> Int
valueOf n use = unur (alloc n use)

bothEnded :: Tokens s t %1 -> Ur Int
bothEnded (Tokens s t) = ended (done 0 s) (done 0 t)
  where
    ended :: Ur Int %1 -> Ur Int %1 -> Ur Int
    ended (Ur x) (Ur y) = Ur (x + y)

raises :: String -> String -> Int -> TestTree
raises name message value = raisesIO name message (evaluate value)

raisesIO :: String -> String -> IO Int -> TestTree
raisesIO name message action = testCase name $ do
  outcome <- try action
  case outcome of
    Left e -> assertBool (show e) (message `isInfixOf` show (e :: ArrayException))
    Right x -> assertFailure ("no error, but " ++ show x)

-- | Writes a list from an index on.
store :: Prim a => Array s a -> Int -> [a] -> RW s %1 -> RW s
store _ _ [] token = token
store array i (x : xs) token = store array (i + 1) xs (write array i x token)

-- | The elements from an index on, read one by one.
load :: Prim a => Array s a -> Int -> [a] -> RW s %1 -> Read s [a]
load array i xs token
  | i < 0 = Read xs token
  | otherwise = loaded array i xs (Linear.read array i token)

loaded :: Prim a => Array s a -> Int -> [a] -> Read s a %1 -> Read s [a]
loaded array i xs (Read x token) = load array (i - 1) (x : xs) token

frozen :: Prim a => [a] -> [a]
frozen xs = P.toList (unur (alloc (P.length (P.fromList xs)) (\array token -> token & store array 0 xs & freeze array)))

frozenStorable :: [Double] -> [Double]
frozenStorable xs = S.toList (unur (alloc (S.length (S.fromList xs)) (\array token ->
  token & store array 0 xs & freezeStorable array)))

filled :: Int -> Int -> [Int]
filled n x = P.toList (unur (alloc n (\array token -> token & fill array x & freeze array)))

count :: [a] -> Int
count = foldr (const (+ 1)) 0

readBack :: [Int] -> [Int]
readBack xs = unur (alloc (count xs) (\array token ->
  token & store array 0 xs & load array (count xs - 1) [] & \case Read ys token' -> token' & done ys))

modified :: [Int] -> [Int]
modified xs = P.toList (unur (alloc (count xs) (\array token ->
  token & store array 0 xs & everywhere array 0 & freeze array)))

everywhere :: Array s Int -> Int -> RW s %1 -> RW s
everywhere array i token
  | i == length array = token
  | otherwise = everywhere array (i + 1) (modify array i (* 3) token)

splitHalves :: [Int] -> [Int] -> Property
splitHalves xs ys = P.toList both === xs ++ ys
  where
    both = unur (alloc (count xs + count ys) (\array token -> token & split array (count xs) & \case
      Slices left l right r -> combine (store left 0 xs l) (store right 0 ys r) & freeze array))

parallelHalves :: [Int] -> [Int] -> Property
parallelHalves xs ys = unur (alloc (count xs + count ys) (\array token ->
  token & parCombine array (count xs) (\left l -> Read (sum xs) (store left 0 xs l))
                                      (\right r -> Read (sum ys) (store right 0 ys r)) & \case
    Read sums token' -> token' & load array (length array - 1) [] & \case
      Read zs token'' -> token'' & done (sums, zs))) === ((sum xs, sum ys), xs ++ ys)

freezeHalf :: [Int] -> [Int] -> Property
freezeHalf xs ys = P.toList half === ys
  where
    half = unur (alloc (count xs + count ys) (\array token ->
      token & store array 0 (xs ++ ys) & split array (count xs) & \case
        Slices _ l right r -> both (done () l) (freeze right r)))
    both :: Ur () %1 -> Ur b %1 -> Ur b
    both (Ur ()) result = result

chunks :: (forall s. Int -> (forall x. Int -> Array (Part x s) Int -> RW (Part x s) %1 -> RW (Part x s))
              -> Array s Int -> RW s %1 -> RW s)
       -> Small Int -> NonNegative (Small Int) -> Property
chunks over (Small size) (NonNegative (Small n)) = P.toList result === map (\i -> (i `div` max 1 size) * max 1 size) [0 .. n - 1]
  where result = unur (alloc n (\array token -> token & over size (\from part t -> fill part from t) array & freeze array))

matrixRows :: NonNegative (Small Int) -> NonNegative (Small Int) -> Property
matrixRows (NonNegative (Small r)) (NonNegative (Small c)) = P.toList result === concat [replicate c i | i <- [0 .. r - 1]]
  where result = unur (alloc (r * c) (\array token ->
          token & parRows (\i part t -> fill part i t) (matrix r c array) & freeze array))

matrixElements :: Positive (Small Int) -> Positive (Small Int) -> Property
matrixElements (Positive (Small r)) (Positive (Small c)) = P.toList result === [10 * i + j | i <- [0 .. r - 1], j <- [0 .. c - 1]]
  where
    result = unur (alloc (r * c) (\array token -> token & go (matrix r c array) 0 0 & freeze array))
    go :: Matrix.Matrix s Int -> Int -> Int -> RW s %1 -> RW s
    go m i j token
      | i == Matrix.rows m = token
      | j == Matrix.columns m = go m (i + 1) 0 token
      | otherwise = go m i (j + 1) (Matrix.write m i j (10 * i + j) token)

borrowed :: [Int] -> Property
borrowed xs = ioProperty $ withArrayLen xs $ \n pointer -> do
  before <- withPtr pointer n (\array token -> token & load array (n - 1) [] & \case
    Read ys token' -> token' & everywhere array 0 & done ys)
  after' <- peekArray n pointer
  pure ((before, after') === (xs, map (* 3) xs))

inPlace :: [Int] -> Property
inPlace xs = ioProperty $ do
  cells <- S.thaw (S.fromList xs)
  withVector cells (\array token -> token & everywhere array 0 & done ())
  changed <- S.freeze (cells :: M.IOVector Int)
  pure (S.toList changed === map (* 3) xs)

-- | What C would do: adds one to each element, and returns the sum of what was there.
addOne :: Ptr Int -> Int -> IO Int
addOne pointer n = go 0 0
  where
    go i s
      | i == n = pure s
      | otherwise = do
          x <- peekElemOff pointer i
          pokeElemOff pointer i (x + 1)
          go (i + 1) (s + x)

cInOrder :: Assertion
cInOrder = do
  results <- allocIO 4 (\array token ->
    token & fill array 10 & write array 0 1
          & callC array addOne & \case
    Read before token' -> token' & Linear.read array 0 & \case
      Read changed token'' -> token'' & write array 0 100 & callC array addOne & \case
        Read later token3 -> token3 & done (before, changed, later))
  results @?= (31, 2, 133)

cOnHalf :: Assertion
cOnHalf = do
  result <- allocIO 6 (\array token -> token & fill array 0 & halve array & \case
    Slices left l right r -> fill right 7 r & \r' -> callC left addOne l & \case
      Read _ l' -> combine l' r' & freeze array)
  P.toList result @?= [1, 1, 1, 7, 7, 7 :: Int]
