{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Linear arrays give the same results as lists.
module Properties.Linear (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import Data.Array.Linear.Matrix (matrix, parRows)
import qualified Data.Array.Linear.Matrix as Matrix
import Data.Int (Int32)
import Data.IORef
import Data.List (isInfixOf)
import qualified Data.List as List
import Data.Monoid (Sum (..))
import Data.Primitive.ByteArray (newByteArray, newPinnedByteArray, readByteArray)
import Data.Primitive.Types (Prim)
import qualified Data.Vector.Primitive as P
import qualified Data.Vector.Storable as S
import qualified Data.Vector.Storable.Mutable as M
import Data.Word (Word8)
import Foreign.Marshal.Array (copyArray, peekArray, withArrayLen)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.Storable (Storable, peekElemOff, pokeElemOff)
import GHC.OpenMP.Settings (withNumThreads)
import Prelude hiding (length, read)
import System.Mem (getAllocationCounter)
import System.Timeout (timeout)
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
  , testProperty "parFold" (\(xs :: [Int]) -> foldedNumbers xs === sum xs)
  , testProperty "parFoldMap" (\(xs :: [Int]) -> folded xs === map (+ 1) xs)
  , testCase "parFoldMap allocates nothing for an element" foldAllocates
  , testCase "both sides of parCombine run, whose writes are in the token" bothSidesRun
  , testCase "long arrays, in parallel" longArrays
  , testProperty "rows of a matrix" matrixRows
  , testProperty "elements of a matrix" matrixElements
  , testProperty "memory of C" borrowed
  , testProperty "a storable vector, in place" inPlace
  , testProperty "a pinned byte array, in place" bytesInPlace
  , testCase "C among reads and writes" cInOrder
  , testCase "C on one half" cOnHalf
  , testGroup "two arrays"
      [ testProperty "C copies one into the other" copiedByC
      , testProperty "C on two halves of one array" cOnHalves
      , testProperty "arrays of Haskell and memory of C" besideMemory
      , testProperty "a vector that is made, beside one that is there" createdBeside
      , testProperty "parMapInto beside" mappedBeside
      , testCase "three arrays, one inside of another" threeArrays
      , testCase "C among reads and writes of both" cOnTwoInOrder
      , testCase "an exception of C on two arrays" cOnTwoThrows
      , testCase "timeout around C on two arrays" cOnTwoInterrupted
      , testCase "calls of C allocate nothing for an element" twoAllocate
      ]
  , testGroup "errors"
      [ raises "read" "Linear.read: got index 5, expected 0 <= index < 5" (valueOf 5 (\array token ->
          token & Linear.read array 5 & \case (Ur x, token') -> token' & done x))
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
            (Ur x, token') -> token' & done x))
      , raisesIO "a byte array that moves" "withByteArray: got an array that is not pinned"
          (newByteArray 64 >>= \bytes -> withByteArray bytes (\array token ->
            token & write array 0 (1 :: Int) & done 0))
      , raises "a matrix of another size" "Matrix.matrix: got 2 rows and 2 columns for 5 elements"
          (valueOf 5 (\array token -> token & done (Matrix.rows (matrix 2 2 array))))
      , raisesIO "a size beside another array" "Linear.allocIO: got size -1" (allocIO 1 (\array1 token ->
          fill array1 (0 :: Int) token & beside (allocIO (-1)) (\array t s -> (done (length (array `of'` (0 :: Int))) t, s)) & \case
            (Ur x, end) -> end & done x))
      , raises "parCombine" "Linear.parCombine: got position 6, expected 0 <= position <= 5" (valueOf 5 (\array token ->
          token & parCombine 6 (\_ l -> (Ur (), l)) (\_ r -> (Ur (), r)) array & \case (Ur _, end) -> end & done 0))
      ]
  ]

createdInIO :: [Int] -> Property
createdInIO xs = ioProperty $ do
  made <- createStorableIO (count xs) (\array token -> token & store array 0 xs & callC addOne array & \case (Ur _, end) -> end)
  also <- createIO (count xs) (\array token -> token & store array 0 xs & callC addOne array & \case (Ur _, end) -> end)
  pure ((S.toList made, P.toList also) === (map (+ 1) xs, map (+ 1) xs))

generated :: Int -> [Int]
generated n = P.toList (unur (alloc (max 0 n) (\array token -> token & parGenerate (* 3) array & freeze array)))

mappedInPlace :: [Int32] -> Property
mappedInPlace xs = P.toList mapped === map (* 7) xs
  where
    mapped = unur (alloc (List.length xs) (\array token ->
      token & store array 0 xs & parMap (* 7) array & freeze array))

mappedInto :: [Word8] -> Property
mappedInto xs = mapped === (xs, map fromIntegral xs)
  where
    n = List.length xs
    mapped = unur (alloc n (\from f -> alloc n (\to t -> f & store from 0 xs & into from to t)))
    into :: Array s Word8 -> Array t Double -> RW t %1 -> RW s %1 -> Ur ([Word8], [Double])
    into from to t s = ended from to (parMapInto fromIntegral from to s t)
    ended :: Array s Word8 -> Array t Double -> (RW s, RW t) %1 -> Ur ([Word8], [Double])
    ended from to (s, t) = lists (freeze from s) (freeze to t)
    lists :: Ur (P.Vector Word8) %1 -> Ur (P.Vector Double) %1 -> Ur ([Word8], [Double])
    lists (Ur x) (Ur y) = Ur (P.toList x, P.toList y)

-- | The byte array is seven bytes longer than its elements.
bytesInPlace :: [Int] -> Property
bytesInPlace xs = ioProperty $ do
  bytes <- newPinnedByteArray (8 * List.length xs + 7)
  size <- withByteArray bytes (\array token -> token & store array 0 xs & parMap (+ 1) array & done (length array))
  ys <- mapM (readByteArray bytes) [0 .. size - 1]
  pure (ys === map (+ 1) xs)

-- | A fold keeps the order: lists do not commute.
folded :: [Int] -> [Int]
folded xs = unur (alloc (List.length xs) (\array token ->
  token & store array 0 xs & parFoldMap (\x -> [x + 1]) array & \case (Ur ys, end) -> end & done ys))

foldedNumbers :: [Int] -> Int
foldedNumbers xs = unur (alloc (List.length xs) (\array token ->
  token & store array 0 xs & parFold (+) 0 array & \case (Ur x, end) -> end & done x))

longArrays :: Assertion
longArrays = result @?= 3 * sum [0 .. n - 1] + n
  where
    n = 300000
    result = unur (alloc n (\array token -> token & parGenerate (* 3) array & parMap (+ 1) array
      & parFold (+) 0 array & \case (Ur x, end) -> end & done x)) :: Int

valueOf :: Int -> (forall s. Array s Int -> RW s %1 -> Ur Int) -> Int
valueOf n use = unur (alloc n use)

bothEnded :: (RW s, RW t) %1 -> Ur Int
bothEnded (s, t) = ended (done 0 s) (done 0 t)
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

-- | Writes a list, from an index on.
store :: Prim a => Array s a -> Int -> [a] -> RW s %1 -> RW s
store _ _ [] token = token
store array i (x : xs) token = store array (i + 1) xs (write array i x token)

-- | The elements from an index on, read one by one.
load :: Prim a => Array s a -> Int -> [a] -> RW s %1 -> (Ur [a], RW s)
load array i xs token
  | i < 0 = (Ur xs, token)
  | otherwise = loaded array i xs (Linear.read array i token)

loaded :: Prim a => Array s a -> Int -> [a] -> (Ur a, RW s) %1 -> (Ur [a], RW s)
loaded array i xs (Ur x, token) = load array (i - 1) (x : xs) token

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
  token & store array 0 xs & load array (count xs - 1) [] & \case (Ur ys, token') -> token' & done ys))

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
  token & parCombine (count xs) (\left l -> (Ur (sum xs), store left 0 xs l))
                                (\right r -> (Ur (sum ys), store right 0 ys r)) array & \case
    (Ur sums, token') -> token' & load array (length array - 1) [] & \case
      (Ur zs, token'') -> token'' & done (sums, zs))) === ((sum xs, sum ys), xs ++ ys)

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
    (Ur ys, token') -> token' & everywhere array 0 & done ys)
  after' <- peekArray n pointer
  pure ((before, after') === (xs, map (* 3) xs))

inPlace :: [Int] -> Property
inPlace xs = ioProperty $ do
  cells <- S.thaw (S.fromList xs)
  withVector cells (\array token -> token & everywhere array 0 & done ())
  changed <- S.freeze (cells :: M.IOVector Int)
  pure (S.toList changed === map (* 3) xs)

-- | Stands for a C function: adds one to each element, and returns the sum of the old ones.
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
          & callC addOne array & \case
    (Ur before, token') -> token' & Linear.read array 0 & \case
      (Ur changed, token'') -> token'' & write array 0 100 & callC addOne array & \case
        (Ur later, token3) -> token3 & done (before, changed, later))
  results @?= (31, 2, 133)

cOnHalf :: Assertion
cOnHalf = do
  result <- allocIO 6 (\array token -> token & fill array 0 & halve array & \case
    Slices left l right r -> fill right 7 r & \r' -> callC addOne left l & \case
      (Ur _, l') -> combine l' r' & freeze array)
  P.toList result @?= [1, 1, 1, 7, 7, 7 :: Int]

-- ---------------------------------------------------------------------------------- two arrays

of' :: Array s a -> a -> Array s a
of' = const

-- | Stands for a C function: copies as many elements as both arrays have.
copyElements :: Storable a => Ptr a -> Int -> Ptr a -> Int -> IO Int
copyElements from n to k = min n k <$ copyArray to from (min n k)

-- | Ends the array of 'beside'; the other token stays.
endOther :: (Ur r, RW t, RW s) %1 -> (Ur r, RW s)
endOther (Ur x, t, s) = (done x t, s)

copiedByC :: [Int32] -> NonNegative (Small Int) -> Property
copiedByC xs (NonNegative (Small k)) = ioProperty $ do
  (n, copy) <- allocIO k (\to token ->
    token & fill to 7 & beside (allocIO (count xs)) (\from t s ->
      endOther (callC2 copyElements from to (store from 0 xs t) s)) & \case
        (Ur n, end) -> both n (freeze to end))
  pure ((n, P.toList copy) === (min k (count xs), take k (xs ++ replicate k 7)))
  where
    both :: n -> Ur (P.Vector Int32) %1 -> Ur (n, P.Vector Int32)
    both n (Ur v) = Ur (n, v)

cOnHalves :: [Int] -> Property
cOnHalves xs = ioProperty $ do
  copy <- allocIO (2 * count xs) (\array token ->
    token & fill array 0 & store array 0 xs & halve array & \case
      Slices left l right r -> callC2 copyElements left right l r & \case
        (Ur _, l', r') -> combine l' r' & freeze array)
  pure (P.toList copy === xs ++ xs)

besideMemory :: [Int] -> Property
besideMemory xs = ioProperty $ withArrayLen xs $ \n pointer -> do
  cells <- S.thaw (S.fromList (map (* 2) xs))
  bytes <- newPinnedByteArray (8 * n)
  sums <- withPtr pointer n (\_ token ->
    token & beside (withVector cells) (\twice t s ->
      t & beside (withByteArray bytes) (\copy u t' -> callC2 copyElements twice copy t' u & \case
        (Ur k, t2, u2) -> (done k u2, t2)) & \case
          (Ur k, t3) -> (done k t3, s)) & \case (Ur k, end) -> end & done k)
  found <- mapM (readByteArray bytes) [0 .. n - 1]
  pure ((sums, found) === (n, map (* 2) xs))

createdBeside :: [Double] -> Property
createdBeside xs = ioProperty $ do
  cells <- S.thaw (S.fromList xs)
  made <- createStorableIO (count xs) (\to token ->
    token & beside (withVector cells) (\from t s -> endOther (callC2 copyElements from to t s)) & \case
      (Ur n, end) -> fillRest to n end)
  pure (S.toList made === xs)
  where
    fillRest :: Array s Double -> Int -> RW s %1 -> RW s
    fillRest array n token | n == length array = token
                           | otherwise = fill array 0 token

mappedBeside :: [Word8] -> Property
mappedBeside xs = ioProperty $ do
  made <- createIO (count xs) (\to token ->
    token & beside (allocIO (count xs)) (\from t s ->
      parMapInto fromIntegral from to (store from 0 xs t) s & \case (t', s') -> (done () t', s')) & \case
        (Ur (), end) -> end)
  pure (P.toList made === (map fromIntegral xs :: [Double]))

threeArrays :: Assertion
threeArrays = do
  found <- allocIO 3 (\a token ->
    fill a (1 :: Int) token & beside (allocIO 3) (\b t s ->
      fill b 2 t & beside (allocIO 3) (\c u t' ->
        callC2 sumsOf c b (fill c 3 u) t' & \case (Ur x, u', t2) -> (done x u', t2)) & \case
            (Ur x, t3) -> callC2 sumsOf a b s t3 & \case
              (Ur y, s', t4) -> (done (x, y) t4, s')) & \case
                (Ur sums, end) -> end & done sums)
  found @?= ((9, 6), (3, 6))

sumsOf :: Ptr Int -> Int -> Ptr Int -> Int -> IO (Int, Int)
sumsOf p n q k = (,) <$> (sum <$> peekArray n p) <*> (sum <$> peekArray k q)

cOnTwoInOrder :: Assertion
cOnTwoInOrder = do
  found <- allocIO 2 (\a token ->
    write a 0 (1 :: Int) token & write a 1 2 & beside (allocIO 2) (\b t s ->
      callC2 copyElements a b s (fill b 0 t) & \case
        (Ur _, s', t') -> Linear.read b 1 t' & \case
          (Ur first, t2) -> callC2 copyElements b a (write b 0 5 t2) (write a 0 9 s') & \case
            (Ur _, t3, s3) -> (done first t3, s3)) & \case
              (Ur first, s4) -> Linear.read a 0 s4 & \case
                (Ur later, end) -> end & done (first, later))
  found @?= (2, 5)

cOnTwoThrows :: Assertion
cOnTwoThrows = do
  outcome <- try (twoArraysWith (\_ _ -> throwIO Overflow))
  outcome @?= Left Overflow

-- | Calls the action with both arrays, and ends them.
twoArraysWith :: (Int -> Int -> IO ()) -> IO ()
twoArraysWith action = allocIO 4 (\a token ->
  fill a (0 :: Int) token & beside (allocIO 5) (\b t s ->
    endOther (callC2 (\_ n _ k -> action n k) b a (fill b (0 :: Int) t) s)) & \case (Ur (), end) -> end & done ())

cOnTwoInterrupted :: Assertion
cOnTwoInterrupted = do
  never <- newEmptyMVar
  begun <- newIORef (0 :: Int)
  forM_ [1 .. 5 :: Int] $ \k -> do
    timeout 20000 (twoArraysWith (\n m -> modifyIORef' begun (+ (n * m)) >> takeMVar never)) >>= (@?= Nothing)
    readIORef begun >>= (@?= 20 * k)
  putMVar never ()

-- | A million elements in a few calls: a box for each element would take 16 MB.
twoAllocate :: Assertion
twoAllocate = do
  one <- M.replicate 1000000 (1 :: Double)
  two <- M.replicate 1000000 2
  allocated <- allocations $ replicateM_ 3 $ withVector one (\a token ->
    token & beside (withVector two) (\b t s -> endOther (callC2 copyElements b a t s)) & \case (Ur _, end) -> end & done ())
  assertBool (show allocated ++ " bytes") (allocated < 20000)
  M.read one 999999 >>= (@?= 2)

allocations :: IO () -> IO Int
allocations action = do
  before <- getAllocationCounter
  action
  later <- getAllocationCounter -- it counts down
  pure (fromIntegral (before - later))

foldAllocates :: Assertion
foldAllocates = withNumThreads 1 $ do
  cells <- M.replicate 1000000 (2 :: Double)
  found <- newIORef 0
  allocated <- allocations $ do
    s <- withVector cells (\array token -> token & parFoldMap Sum array & \case (Ur s, end) -> end & done s)
    writeIORef found (getSum s)
  readIORef found >>= (@?= 2000000)
  assertBool (show allocated ++ " bytes") (allocated < 1000000)

-- | 'parCombine' returns its pair at once, and the token only after the writes. Each side executes its own writes, not the
-- thread that waits for both: so each can wait for a moment until the other one has begun.
bothSidesRun :: Assertion
bothSidesRun = do
  capabilities <- getNumCapabilities
  when (capabilities > 1) $ timeout 60000000 untilMet >>= (@?= Just ())
  where
    untilMet = attempt >>= \met -> unless met untilMet
    attempt = do
      begun <- newIORef (0 :: Int)
      met <- newIORef True
      allocIO 2 (\array token ->
        token & parCombine 1 (lazily begun met) (lazily begun met) array & \case (Ur _, end) -> end & done ())
      readIORef met
    lazily :: Effects s => IORef Int -> IORef Bool -> Array s Int -> RW s %1 -> (Ur (), RW s)
    lazily begun met array token = (Ur (), callC (\_ _ -> meet begun met) array token & \case (Ur (), end) -> end)
    meet begun met = atomicModifyIORef' begun (\n -> (n + 1, ())) >> wait begun met 20000
    wait :: IORef Int -> IORef Bool -> Int -> IO ()
    wait begun met n = readIORef begun >>= \k ->
      if n == 0 then writeIORef met False else unless (k == 2) (yield >> wait begun met (n - 1))
