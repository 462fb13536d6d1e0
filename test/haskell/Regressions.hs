{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}

-- | Programs that a simpler design would accept, and execute wrongly at some level of optimisation.
module Regressions (tests) where

import Control.Exception
import Control.Monad
import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Array.Linear.Unsafe as Unsafe
import Data.IORef
import qualified Data.Vector.Primitive as P
import qualified Data.Vector.Storable.Mutable as M
import Foreign.Ptr (Ptr)
import Foreign.Storable (peekElemOff, pokeElemOff)
import Prelude hiding (length, read)
import System.Mem (performMajorGC)
import Test.Tasty
import Test.Tasty.HUnit

tests :: TestTree
tests = testGroup "regressions"
  [ testCase "two arrays of one size are two" $ twoArrays @?= ([1, 1, 1, 1], [2, 2, 2, 2])
  , testCase "a read before a write sees what was there" $ readWriteRead @?= (1, 9)
  , testCase "the same, twice over" $ map (const readWriteRead) [1 :: Int, 2] @?= [(1, 9), (1, 9)]
  , testCase "halves do not see each other" $ halves @?= [1, 1, 2, 2]
  , testCase "equal computations on equal arrays" $ sumOfTwo 3 @?= 12
  , testCase "an array whose last user ends by an exception is kept" keptForC
  , testCase "so are two arrays" twoKeptForC
  , testCase "the token of one array has the writes of C on both" bothWritten
  , testCase "parts larger than the array" $ forM_ sizes $ \size -> partsOf parChunksOf size @?= partsOf chunksOf size
  , testCase "a frozen vector stays, whoever has a token" $ frozenStays @?= (4, 4, 99)
  , testCase "a value is evaluated after the C code before it" evaluatedInOrder
  , testCase "sizes that no memory holds" $ forM_ [36 .. 60] tooLarge
  ]

-- | alloc 4 occurs twice: it must not become one common subexpression.
twoArrays :: ([Int], [Int])
twoArrays = unur (alloc 4 (\a ta -> alloc 4 (\b tb -> both (freeze a (fill a 1 ta)) (freeze b (fill b 2 tb)))))
  where
    both :: Ur (P.Vector Int) %1 -> Ur (P.Vector Int) %1 -> Ur ([Int], [Int])
    both (Ur x) (Ur y) = Ur (P.toList x, P.toList y)

readWriteRead :: (Int, Int)
readWriteRead = unur (alloc 1 (\array token ->
  token & write array 0 1 & Linear.read array 0 & \case
    (Ur before, token') -> token' & write array 0 9 & Linear.read array 0 & \case
      (Ur later, token'') -> token'' & done (before, later)))

halves :: [Int]
halves = P.toList (unur (alloc 4 (\array token -> token & halve array & \case
  Slices left l right r -> combine (fill left 1 l) (fill right 2 r) & freeze array)))

sumOfTwo :: Int -> Int
sumOfTwo n = one n + one n

one :: Int -> Int
one k = unur (alloc 2 (\array token ->
  token & fill array k & modify array 1 (+ 0) & Linear.read array 0 & \case
    (Ur x, token') -> token' & Linear.read array 1 & \case
      (Ur y, token'') -> token'' & done (x + y)))

-- | C reads the array until an exception ends the call: no later use keeps the memory alive.
keptForC :: Assertion
keptForC = do
  others <- newIORef []
  rounds <- newIORef 0
  outcome <- try (allocIO 1000 (\array token ->
    token & fill array 7 & callC (look others rounds) array & \case (Ur (), end) -> end & done ()))
  outcome @?= Left (Seen 7)

-- | The same for the second of two arrays, and for the first.
twoKeptForC :: Assertion
twoKeptForC = forM_ [\p n _ _ -> (p, n), \_ _ q k -> (q, k)] $ \which -> do
  others <- newIORef []
  rounds <- newIORef 0
  outcome <- try (allocIO 1000 (\a token ->
    token & fill a 7 & beside (allocIO 1000) (\b t s ->
      callC2 (\p n q k -> uncurry (look others rounds) (which p n q k)) a b s (fill b 7 t) & \case
        (Ur (), s', t') -> (done () t', s')) & \case (Ur (), end) -> end & done ()))
  outcome @?= Left (Seen 7)

-- | C writes into both arrays. Each is then read with its own token only, through functions of which the compiler
-- sees the strictness but not the code.
bothWritten :: Assertion
bothWritten = do
  found <- allocIO 1 (\a token ->
    fill a 1 token & beside (allocIO 1) (\b t s ->
      writeBoth a b s (fill b 2 t) & \case
        (Ur (), s', t') -> readFirst b t' & \case (Ur y, t2) -> (done y t2, s')) & \case
          (Ur y, s2) -> readFirst a s2 & \case (Ur x, end) -> end & done (x, y))
  found @?= (2, 1)

writeBoth :: (Effects s, Effects t) => Array s Int -> Array t Int -> RW s %1 -> RW t %1 -> (Ur (), RW s, RW t)
writeBoth = callC2 $ \p _ q _ -> do
  x <- peekElemOff p 0
  peekElemOff q 0 >>= pokeElemOff p 0
  pokeElemOff q 0 x
{-# NOINLINE writeBoth #-}

readFirst :: Array s Int -> RW s %1 -> (Ur Int, RW s)
readFirst array = Linear.read array 0
{-# NOINLINE readFirst #-}

newtype Seen = Seen Int deriving (Eq, Show)

instance Exception Seen

-- | Throws the value that it reads at the end, or as soon as another thread has written.
look :: IORef [M.IOVector Int] -> IORef Int -> Ptr Int -> Int -> IO ()
look others rounds memory n = forever $ do
  performMajorGC
  new <- forM [100, 500, 1000, 1000, 2000] $ \size -> M.replicate size 666
  modifyIORef others (new ++)
  x <- peekElemOff memory (n - 1)
  k <- readIORef rounds
  writeIORef rounds (k + 1)
  when (x /= 7 || k == 50) $ throwIO (Seen x)
{-# INLINE look #-}

sizes :: [Int]
sizes = [minBound, -1, 0, 1, 3, 10, 11, maxBound `div` 2, maxBound - 9, maxBound - 8, maxBound]

-- | Each element is the index at which its part begins, plus one.
partsOf :: (forall s. Int -> (forall x. Int -> Array (Part x s) Int -> RW (Part x s) %1 -> RW (Part x s))
             -> Array s Int -> RW s %1 -> RW s)
        -> Int -> [Int]
partsOf over size = P.toList (unur (alloc 10 (\array token ->
  token & fill array 0 & over size (\from part t -> fill part (from + 1) t) array & freeze array)))

-- | 2^k elements of 8 bytes: an array if memory can hold it, otherwise an exception.
tooLarge :: Int -> Assertion
tooLarge k = do
  outcome <- try (evaluate (unur (alloc (2 ^ k) (\array token -> token & done (length (array `ofType` (0 :: Int)))))))
  case outcome of
    Right n -> assertBool "it is as large as it was to be" (n == 2 ^ k && k < 37)
    Left (IndexOutOfBounds _) -> pure ()
    Left e -> throwIO e
  where
    ofType :: Array s a -> a -> Array s a
    ofType = const

-- | The token is duplicated through its hidden constructor; a hole in a compiler's checker would allow the same.
frozenStays :: (Int, Int, Int)
frozenStays = unur (alloc 4 (\array token -> frozenTwice array (copied (fill array 1 token))))
  where
    copied :: RW s %1 -> (RW s, RW s)
    copied (Unsafe.RW s) = (Unsafe.RW s, Unsafe.RW s)
    frozenTwice :: Array s Int -> (RW s, RW s) %1 -> Ur (Int, Int, Int)
    frozenTwice array (s, t) = later array (freeze array s) t
    later :: Array s Int -> Ur (P.Vector Int) %1 -> RW s %1 -> Ur (Int, Int, Int)
    later array (Ur frozen) t = again array (P.sum frozen) frozen t
    again :: Array s Int -> Int -> P.Vector Int -> RW s %1 -> Ur (Int, Int, Int)
    again array !before frozen t = seen before frozen (Linear.read array 0 (fill array 99 t))
    seen :: Int -> P.Vector Int -> (Ur Int, RW s) %1 -> Ur (Int, Int, Int)
    seen before frozen (Ur x, t) = done (before, P.sum frozen, x) t

-- | Functions that are not inlined: the compiler sees their strictness but not their code.
evaluatedInOrder :: Assertion
evaluatedInOrder = do
  reached <- newIORef False
  outcome <- try (allocIO 1 (\array token -> token & fill array (0 :: Int) & noted reached array (1 `div` nothing)))
  (,) outcome <$> readIORef reached >>= (@?= (Left DivideByZero, True))

noted :: Effects s => IORef Bool -> Array s Int -> Int -> RW s %1 -> Ur Int
noted reached array x token = token & note reached array & \case
  (Ur (), token') -> token' & evaluated (x + 1) & \case (Ur y, end) -> end & done y
{-# NOINLINE noted #-}

note :: Effects s => IORef Bool -> Array s Int -> RW s %1 -> (Ur (), RW s)
note reached array = callC (\_ _ -> writeIORef reached True) array
{-# NOINLINE note #-}

nothing :: Int
nothing = 0
{-# NOINLINE nothing #-}
