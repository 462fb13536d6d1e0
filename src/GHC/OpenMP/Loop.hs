-- | Loops with Haskell bodies on the OpenMP team.
module GHC.OpenMP.Loop
  ( Schedule (..)
  , parallelFor
  , parallelForWith
  , parallelForChunks
  ) where

import GHC.OpenMP.Loop.Run

-- | How iterations are handed out.  Source: OpenMP 5.2, 11.5.3.
data Schedule
  = Static       -- ^ equal contiguous parts, one for each worker
  | Dynamic !Int -- ^ chunks of so many iterations; who has none left takes from the others
  | Guided !Int  -- ^ shrinking chunks, of at least so many iterations
  deriving (Eq, Show)

shapeOf :: Schedule -> Int -> Shape
shapeOf schedule count = case schedule of
  Static -> Shape count 0 0 0
  Dynamic chunk -> Shape count chunk 1 0
  Guided chunk -> Shape count chunk 2 0

-- | @parallelFor from to body@ runs @body i@ for @from <= i < to@.
parallelFor :: Int -> Int -> (Int -> IO ()) -> IO ()
parallelFor = parallelForWith (Dynamic 0)
{-# INLINE parallelFor #-}

parallelForWith :: Schedule -> Int -> Int -> (Int -> IO ()) -> IO ()
parallelForWith schedule from to body = parallelForChunks schedule from to $ \first end ->
  let go i | i < end = body i >> go (i + 1)
           | otherwise = pure ()
  in go first
{-# INLINE parallelForWith #-}

parallelForChunks :: Schedule -> Int -> Int -> (Int -> Int -> IO ()) -> IO ()
parallelForChunks schedule from to chunk
  | to <= from = pure ()
  | otherwise = execute (shapeOf schedule (to - from)) $ \_ ->
      pure (drawChunks (\first end -> chunk (from + first) (from + end)))
{-# INLINE parallelForChunks #-}
