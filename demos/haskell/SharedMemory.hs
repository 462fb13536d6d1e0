{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}

-- | Haskell and C on the same memory: one after the other; each on its half at the same time, where the types
-- prove that the halves do not overlap; and Haskell alone with sparks. Also a stencil of two passes: C without a
-- barrier computes it wrongly, and the Haskell version cannot be written without waiting.
module Main (main) where

import Data.Array.Linear
import qualified Data.Vector.Primitive as P
import qualified Data.Vector.Storable as S
import qualified Data.Vector.Storable.Mutable as M
import Demo
import Foreign.C.Types (CInt (..))
import Foreign.Ptr (Ptr)
import GHC.OpenMP.Vector (parallelGenerate)
import Prelude hiding (length, read)
import Text.Printf (printf)

foreign import ccall safe "kernels_transform" c_transform :: Ptr Double -> Ptr Double -> Int -> IO ()
foreign import ccall safe "kernels_stencil"
  c_stencil :: Ptr Double -> Ptr Double -> Ptr Double -> Int -> CInt -> IO ()

f :: Double -> Double
f x = sin x * cos x + sqrt (abs x)

count :: Int
count = 200000

input :: S.Vector Double
input = S.generate count (\i -> fromIntegral i * 0.001)

expected :: S.Vector Double
expected = S.map f input

right :: String -> S.Vector Double -> IO ()
right what found = check what (S.and (S.zipWith near expected found))

main :: IO ()
main = do
  handOff <- transformed
  right "hand-off" handOff
  both <- halves
  right "halves" both
  sparks <- sparked
  right "sparks" sparks
  times <- inTurn 15
    [ Timed "C on the whole" 1 (transformed >>= right "hand-off")
    , Timed "Haskell on the left half, C on the right" 1 (halves >>= right "halves")
    , Timed "Haskell, both halves, a spark" 1 (sparked >>= right "sparks") ]
  table (["", "ms"] : zipWith (\name t -> [name, printf "%.2f" (t / 1000)])
    ["C on the whole", "Haskell on the left half, C on the right", "Haskell, both halves, a spark"] times)
  stencils

-- | C writes into a vector that Haskell made, and Haskell reads it: the same memory, without a copy.
transformed :: IO (S.Vector Double)
transformed = createStorableIO count (\array token ->
  token & callC (\out n -> S.unsafeWith input (\p -> c_transform p out n)) array & \case
    (Ur (), token') -> token')

-- | Haskell computes the left half and C the right half at the same time. No barrier is necessary: neither side
-- can reach the other half, and 'parCombine' returns when both are done.
halves :: IO (S.Vector Double)
halves = createStorableIO count (\array token ->
  token & parCombine half
            (\left l -> (Ur (), writeFrom 0 input left 0 l))
            (\part -> callC (\out n -> S.unsafeWith (S.drop half input) (\p -> c_transform p out n)) part) array & \case
    (Ur _, token') -> token')
  where half = count `quot` 2

-- | Haskell computes both halves.
sparked :: IO (S.Vector Double)
sparked = createStorableIO count (\array token ->
  token & parCombine half
            (\left l -> (Ur (), writeFrom 0 input left 0 l))
            (\part r -> (Ur (), writeFrom half input part 0 r)) array & \case
    (Ur _, token') -> token')
  where half = count `quot` 2

-- | Writes @f@ of the elements, from an offset on.
writeFrom :: Int -> S.Vector Double -> Array s Double -> Int -> RW s %1 -> RW s
writeFrom from xs array i token
  | i == length array = token
  | otherwise = writeFrom from xs array (i + 1) (write array i (f (S.unsafeIndex xs (from + i))) token)

-- | The second pass needs the whole result of the first one, which exists only when every part is done.
stencils :: IO ()
stencils = do
  let middle = create count (\array token ->
        token & parChunksOf 10000 (\from part t -> writeFrom from input part 0 t) array)
      linear = parallelGenerate count (smooth middle) :: S.Vector Double
      reference = S.generate count (smooth (P.convert expected))
  check "the stencil in Haskell" (S.and (S.zipWith near reference linear))
  waiting <- inC 1
  check "the stencil in C, with a barrier" (S.and (S.zipWith near reference waiting))
  wrong <- mapM (const (differing reference <$> inC 0)) [1 .. 20 :: Int]
  printf "two-pass stencil: Haskell right; C with a barrier right; C without, wrong elements in 20 runs: %d\n"
    (sum wrong)
  where
    differing reference found = S.foldl' (+) 0 (S.zipWith (\a b -> fromEnum (not (near a b))) reference found)
    smooth :: P.Vector Double -> Int -> Double
    smooth xs i = (P.unsafeIndex xs (max 0 (i - 1)) + P.unsafeIndex xs i + P.unsafeIndex xs (min (count - 1) (i + 1))) / 3
    inC wait = do
      middle <- M.replicate count 0
      out <- M.replicate count 0
      S.unsafeWith input $ \p -> M.unsafeWith middle $ \m -> M.unsafeWith out $ \o -> c_stencil p m o count wait
      S.freeze out
