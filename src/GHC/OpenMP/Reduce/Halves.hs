{-# LANGUAGE BangPatterns #-}

-- | How folds over a 'Monoid' go through a chunk, which may have thousands of elements. '<>' may
-- copy its left side, as for lists, and that must not happen once for each later element.
module GHC.OpenMP.Reduce.Halves (inHalves) where

-- | @inHalves combine element first end@ combines @element i@ for @first <= i < end@, in order. The
-- range is not empty. Up to some tens of elements are combined one after the other; a longer range
-- is halved. Each partial result is evaluated.
inHalves :: (b -> b -> b) -> (Int -> IO b) -> Int -> Int -> IO b
inHalves combine element = halves
  where
    halves first end
      | end - first > inARow = do
          !left <- halves first middle
          !right <- halves middle end
          pure $! combine left right
      | otherwise = element first >>= \start ->
          -- Not beside `halves`: here the compiler makes a loop of it that keeps everything in registers.
          let row !sofar i
                | i < end = element i >>= \x -> row (combine sofar x) (i + 1)
                | otherwise = pure sofar
          in row start (first + 1)
      where middle = first + (end - first) `quot` 2
{-# INLINE inHalves #-}

-- | The number of elements for which one result is boxed.
inARow :: Int
inARow = 64
