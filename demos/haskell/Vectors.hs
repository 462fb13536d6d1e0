-- | Sums, maps and matrices of ten million elements: by @vector@ in one thread, by 64 slices that @async@ executes, as one
-- would write it by hand, and by the functions of "GHC.OpenMP.Vector". Each way computes the same elements by the same function.
module Main (main) where

import Control.Concurrent.Async (forConcurrently, forConcurrently_)
import Control.Exception (evaluate)
import Data.IORef (newIORef, readIORef)
import Data.Monoid (Sum (..))
import qualified Data.Vector.Unboxed as U
import qualified Data.Vector.Unboxed.Mutable as M
import Demo
import GHC.OpenMP (parallelReduceChunks)
import GHC.OpenMP.Vector

elements, rows, columns :: Int
elements = 10000000
rows = 2500
columns = 4000

-- | The bounds of 64 slices.
slicesOf :: Int -> [(Int, Int)]
slicesOf n = [(n * k `quot` 64, n * (k + 1) `quot` 64) | k <- [0 .. 63]]

slices :: [(Int, Int)]
slices = slicesOf elements

light, heavy :: Double -> Double
light x = x * 0.5 + 1
heavy x = sin (sqrt (x * x + 1))
{-# INLINE light #-}
{-# INLINE heavy #-}

-- | Runs the ways in turn, each with what the cell holds: else the compiler would compute a pure value once for all runs.
-- A way gives a number that the result of the first one must equal.
compared :: String -> Int -> a -> [(String, a -> IO Double)] -> IO ()
compared name runs input ways = do
  cell <- newIORef input
  expected <- snd (head ways) input
  times <- inTurn runs
    [ Timed (name ++ ", " ++ by) 1 (readIORef cell >>= way >>= check (name ++ ", " ++ by) . near expected) | (by, way) <- ways ]
  table [(name ++ ", us") : map fst ways, "" : map micro times]

sums :: String -> (Double -> Double) -> U.Vector Double -> IO ()
sums name f v = compared name 21 v
  [ ("vector", \u -> evaluate (part u 0 elements))
  , ("async", \u -> sum <$> forConcurrently slices (evaluate . uncurry (part u)))
  , ("parallelFoldMap", evaluate . getSum . parallelFoldMap (Sum . f))
  , ("parallelReduceChunks", \u -> parallelReduceChunks (+) 0 0 elements (\from to -> pure $! part u from to)) ]
  where part u from to = U.sum (U.map f (U.unsafeSlice from (to - from) u))
{-# INLINE sums #-}

maps :: String -> (Double -> Double) -> U.Vector Double -> IO ()
maps name f v = compared name 21 v
  [ ("vector", \u -> looked (U.map f u))
  , ("async", \u -> byHand elements (f . U.unsafeIndex u) >>= looked)
  , ("parallelMap", looked . parallelMap f)
  , ("parallelGenerate", \u -> looked (parallelGenerate elements (f . U.unsafeIndex u))) ]
  where
    -- A sum of all elements would take as long as the map.
    looked u = evaluate (sum [u U.! i | i <- [0, 999999 .. elements - 1]])
{-# INLINE maps #-}

-- | A vector whose elements are computed in 64 slices.
byHand :: Int -> (Int -> Double) -> IO (U.Vector Double)
byHand n element = do
  made <- M.unsafeNew n
  forConcurrently_ (slicesOf n) $ \(from, to) ->
    let go i | i < to = M.unsafeWrite made i (element i) >> go (i + 1)
             | otherwise = pure ()
    in go from
  U.unsafeFreeze made
{-# INLINE byHand #-}

-- | A matrix times a vector: a row is a dot product.
matrixVector :: U.Vector Double -> IO ()
matrixVector v = compared "matrix times vector" 21 v
  [ ("vector", \m -> summed (U.generate rows (dot m)))
  , ("async", \m -> byHand rows (dot m) >>= summed)
  , ("parallelGenerate", \m -> summed (parallelGenerate rows (dot m))) ]
  where
    x = U.generate columns (\j -> fromIntegral (j `rem` 7))
    dot m i = U.sum (U.zipWith (*) (U.unsafeSlice (i * columns) columns m) x)

-- | A product of two matrices of 216 rows and columns: ten million multiplications.
matrixMatrix :: IO ()
matrixMatrix = compared "product of matrices" 51 (U.generate (n * n) (\k -> fromIntegral (k `rem` 11)))
  [ ("vector", \a -> summed (U.generate (n * n) (element a)))
  , ("async", \a -> byHand (n * n) (element a) >>= summed)
  , ("parallelGenerate", \a -> summed (parallelGenerate (n * n) (element a))) ]
  where
    n = 216
    transposed = U.generate (n * n) (\k -> fromIntegral (k `rem` 13))
    element a k = let (i, j) = k `quotRem` n
                  in U.sum (U.zipWith (*) (U.unsafeSlice (i * n) n a) (U.unsafeSlice (j * n) n transposed))

summed :: U.Vector Double -> IO Double
summed = evaluate . U.sum

main :: IO ()
main = do
  let v = U.generate elements (\i -> fromIntegral (i `rem` 1000))
  sums "sum of a line" light v
  sums "sum of sines" heavy v
  maps "map of a line" light v
  maps "map of sines" heavy v
  matrixVector v
  matrixMatrix
