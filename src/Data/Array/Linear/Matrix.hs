{-# LANGUAGE DataKinds #-}
{-# LANGUAGE GADTs #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}

-- | Arrays as matrices, row by row: in a matrix with @c@ columns, element @(i, j)@ is element @i *
-- c + j@ of the array. Rows are contiguous, so a matrix can be split between rows.
module Data.Array.Linear.Matrix
  ( Matrix
  , rows
  , columns
  , elements
  , matrix
  , read
  , write
  , row
  , MatrixSlices (..)
  , splitRows
  , parRows
  ) where

import Data.Array.Linear.Internal hiding (read, write)
import qualified Data.Array.Linear.Internal as Linear
import Control.Exception (ArrayException (..), throw)
import Data.Primitive.Types (Prim)
import Prelude hiding (length, read)

-- | A view: as with 'Array', the token with the same index is needed to read or write.
--
-- @since 0.1.0
data Matrix s a = Matrix !Int !Int !(Array s a)

-- | The number of rows, and of columns.
--
-- @since 0.1.0
rows, columns :: Matrix s a -> Int
rows (Matrix r _ _) = r
columns (Matrix _ c _) = c

-- | The elements, row by row.
--
-- @since 0.1.0
elements :: Matrix s a -> Array s a
elements (Matrix _ _ array) = array

-- | @matrix r c array@: an 'ArrayException' unless the array has @r * c@ elements.
--
-- @since 0.1.0
matrix :: Int -> Int -> Array s a -> Matrix s a
matrix r c array
  | r >= 0 && c >= 0 && (r == 0 || c == 0 || r <= maxBound `quot` c) && r * c == length array = Matrix r c array
  | otherwise = throw . IndexOutOfBounds $ "Data.Array.Linear.Matrix.matrix: got " ++ show r ++ " rows and "
      ++ show c ++ " columns for " ++ show (length array) ++ " elements, expected as many as the product"

-- | The element in a row and a column, both from 0.
--
-- @since 0.1.0
read :: Prim a => Matrix s a -> Int -> Int -> RW s %1 -> (Ur a, RW s)
read m i j (RW s) = Linear.unsafeRead (elements m) (place "read" m i j) (RW s)
{-# INLINE read #-}

-- | Writes one element.
--
-- @since 0.1.0
write :: Prim a => Matrix s a -> Int -> Int -> a -> RW s %1 -> RW s
write m i j x (RW s) = Linear.unsafeWrite (elements m) (place "write" m i j) x (RW s)
{-# INLINE write #-}

place :: String -> Matrix s a -> Int -> Int -> Int
place function (Matrix r c _) i j
  | outside i r = boundsError ("Matrix." ++ function ++ " (row)") i r
  | outside j c = boundsError ("Matrix." ++ function ++ " (column)") j c
  | otherwise = i * c + j
  where outside k n = (fromIntegral k :: Word) >= fromIntegral n
{-# INLINE place #-}

-- | One row as an array with the same token.
--
-- @since 0.1.0
row :: Prim a => Matrix s a -> Int -> Array s a
row (Matrix r c array) i
  | i >= 0 && i < r = sliceOf array (i * c) c
  | otherwise = boundsError "Matrix.row" i r

-- | Both halves of a matrix that is split between two rows. 'combine' takes their tokens back.
--
-- @since 0.1.0
data MatrixSlices s a where
  MatrixSlices :: Matrix (Half 'L x s) a -> RW (Half 'L x s) %1
               -> Matrix (Half 'R x s) a -> RW (Half 'R x s) %1 -> MatrixSlices s a

-- | The first @i@ rows, and the remaining ones.
--
-- @since 0.1.0
splitRows :: Prim a => Matrix s a -> Int -> RW s %1 -> MatrixSlices s a
splitRows (Matrix r c array) i (RW s)
  | i < 0 || i > r = boundsError "Matrix.splitRows" i (r + 1)
  | otherwise = case split array (i * c) (RW s) of
      Slices left tokenL right tokenR ->
        MatrixSlices (Matrix i c left) tokenL (Matrix (r - i) c right) tokenR

-- | Runs @use i row@ for every row, in parallel, on the OpenMP team.
--
-- @since 0.1.0
parRows
  :: Prim a => (forall x. Int -> Array (Part x s) a -> RW (Part x s) %1 -> RW (Part x s))
  -> Matrix s a -> RW s %1 -> RW s
parRows use (Matrix _ c array) (RW s) = parChunksOf c (\from part token -> use (from `quot` max 1 c) part token) array (RW s)
{-# INLINE parRows #-}
