{-# LANGUAGE BangPatterns #-}

-- | How folds over a 'Monoid' go through a chunk, which may have thousands of elements: what '<>' copies, as it
-- does the left side of two lists, must not be copied once for each element that follows.
module GHC.OpenMP.Reduce.Halves (inHalves) where

-- | @inHalves combine element first end@ combines @element i@ for @first <= i < end@, which are one at least, in
-- order: some tens one after the other, and halves of more. Each partial result is evaluated.
inHalves :: (b -> b -> b) -> (Int -> IO b) -> Int -> Int -> IO b
inHalves combine element = halves
  where
    halves first end
      | end - first > inARow = do
          !left <- halves first middle
          !right <- halves middle end
          pure $! combine left right
      | otherwise = element first >>= \start -> row start (first + 1) end
      where middle = first + (end - first) `quot` 2
    row !sofar i end
      | i < end = element i >>= \x -> row (combine sofar x) (i + 1) end
      | otherwise = pure sofar
{-# INLINE inHalves #-}

-- | A result is boxed once for so many elements.
inARow :: Int
inARow = 64
