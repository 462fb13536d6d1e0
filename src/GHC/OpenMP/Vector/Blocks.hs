{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MonoLocalBinds #-}

-- | How a loop divides a vector. The parts depend only on the length and the schedule, never on the number of workers.
module GHC.OpenMP.Vector.Blocks
  ( vectorShape
  , Blocks (..)
  , blocksOf
  , butLast
  , forBlocks
  , inOrder
  , filled
  ) where

import Data.Vector.Generic (Vector)
import qualified Data.Vector.Generic as V
import qualified Data.Vector.Generic.Mutable as M
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Schedule

-- | Chunks are multiples of 64 elements, so that two workers never write into the same word of a
-- vector that packs its elements.
vectorShape :: Schedule -> Int -> Shape
vectorShape schedule n = asked { shapeChunk = 64 * max 1 units }
  where
    asked = shapeOf schedule 0 n
    units | shapeChunk asked == 0 = min 128 (n `quot` (64 * 64))
          | otherwise = (min (shapeChunk asked) n + 63) `quot` 64

-- | A vector in blocks of one size, of which the last one may be shorter. For functions that keep something for each block.
data Blocks = Blocks
  { blockSize :: !Int -- ^ a multiple of 64
  , blockCount :: !Int
  , blocksLength :: !Int
  , blocksSchedule :: !Schedule
  }

-- | There are never more than about a million blocks.
blocksOf :: Schedule -> Int -> Blocks
blocksOf schedule n = Blocks size ((n + size - 1) `quot` size) n schedule
  where size = max (shapeChunk (vectorShape schedule n)) (64 * ((n `quot` 1048576 + 63) `quot` 64))

-- | Without the last block.
butLast :: Blocks -> Blocks
butLast (Blocks size count _ schedule) = Blocks size (count - 1) ((count - 1) * size) schedule

-- | @forBlocks blocks body@ executes @body number first end@ for each block, in parallel, as what a pure value consists of. A chunk may be
-- several blocks.
forBlocks :: Blocks -> (Int -> Int -> Int -> IO ()) -> IO ()
forBlocks (Blocks size count n schedule) body
  | count <= 0 = pure ()
  | otherwise = execute (shapeOf schedule 0 n) { shapeChunk = size } (\_ _ -> pure (ofValue (drawChunks (from . (`quot` size))), ()))
  where
    from !number !end
      | first < end = body number first (min end (first + size)) >> from (number + 1) end
      | otherwise = pure ()
      where first = number * size
{-# INLINE forBlocks #-}

-- | @inOrder action first end@ executes @action i@ for @first <= i < end@, in order.
inOrder :: (Int -> IO ()) -> Int -> Int -> IO ()
inOrder action = go
  where
    go !i !end | i < end = action i >> go (i + 1) end
               | otherwise = pure ()
{-# INLINE inOrder #-}

-- | The vector of the results of @element i@, each evaluated, for @0 <= i < n@.
filled :: Vector v a => Schedule -> Int -> (Int -> IO a) -> v a
filled schedule n element
  | n <= 0 = V.empty
  | n > 1099511627776 = vast n
  | otherwise =
      let !shape = vectorShape schedule n -- an exception of the schedule is the value's
      in pureLoop $ do
        made <- M.unsafeNew n
        execute shape $ \_ _ ->
          pure (ofValue (drawChunks (inOrder (\i -> element i >>= \x -> M.unsafeWrite made i $! x))), ())
        V.unsafeFreeze made
{-# INLINE filled #-}

-- | No memory holds it: it is refused, by an exception of the value.
vast :: Vector v a => Int -> v a
vast n = V.generate n (error "GHC.OpenMP.Vector: a vector that no memory holds")
{-# NOINLINE vast #-}
