{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Matrix products: OpenMP in C, Haskell on the OpenMP team row by row (the type of each row's token proves that
-- its body cannot reach another row), and one thread of Haskell.
module Main (main) where

import Data.Array.Linear
import Data.Array.Linear.Matrix (matrix, parRows)
import Data.Array.Linear.Unsafe (unsafeRead, unsafeWrite)
import qualified Data.Vector.Storable as S
import Demo
import Foreign.Ptr (Ptr)
import Prelude hiding (length, read)
import Text.Printf (printf)

foreign import ccall safe "kernels_dgemm"
  c_dgemm :: Ptr Double -> Ptr Double -> Ptr Double -> Int -> IO ()

type Square = S.Vector Double

inC :: Int -> Square -> Square -> IO Square
inC n a b = createStorableIO (n * n) (\array token ->
  token & callC (\c _ -> S.unsafeWith a (\p -> S.unsafeWith b (\q -> c_dgemm p q c n))) array & \case
    (Ur (), token') -> token')

-- | Row i of the product: the sum of b's rows, each multiplied by an element of a's row i.
productRow :: forall s. Int -> Square -> Square -> Int -> Array s Double -> RW s %1 -> RW s
productRow n a b i line token = addRows 0 (fill line 0 token)
  where
    addRows :: Int -> RW s %1 -> RW s
    addRows k t
      | k == n = t
      | otherwise = addRows (k + 1) (addRow (S.unsafeIndex a (i * n + k)) (k * n) line 0 t)
    addRow :: Double -> Int -> Array t Double -> Int -> RW t %1 -> RW t
    addRow x at r j t
      | j == length r = t
      | otherwise = addRow x at r (j + 1) (added x at r j (unsafeRead r j t))
    added :: Double -> Int -> Array t Double -> Int -> (Ur Double, RW t) %1 -> RW t
    added x at r j (Ur y, t) = unsafeWrite r j (y + x * S.unsafeIndex b (at + j)) t

-- | In 'IO', so that each call computes the product anew.
inParallel, alone :: Int -> Square -> Square -> IO Square
inParallel n a b = createStorableIO (n * n) (\array token ->
  token & parRows (productRow n a b) (matrix n n array))
alone n a b = createStorableIO (n * n) (\array token ->
  token & chunksOf n (\from -> productRow n a b (from `quot` n)) array)

main :: IO ()
main = do
  rows <- mapM row [64, 128, 256]
  table (["n", "C, OpenMP ms", "Haskell ms", "Haskell, one thread ms"] : rows)

row :: Int -> IO [String]
row n = do
  let a = S.generate (n * n) (\i -> sin (fromIntegral i)) :: Square
      b = S.generate (n * n) (\i -> cos (fromIntegral i)) :: Square
      same c d = check "the product" (S.and (S.zipWith near c d))
  reference <- inC n a b
  times <- inTurn 5
    [ Timed (show n ++ ", C with OpenMP") 1 (inC n a b >>= same reference)
    , Timed (show n ++ ", Haskell") 1 (inParallel n a b >>= same reference)
    , Timed (show n ++ ", Haskell, one thread") 1 (alone n a b >>= same reference) ]
  pure (show n : map (\t -> printf "%.2f" (t / 1000)) times)
