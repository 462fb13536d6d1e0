-- | How the iterations of a loop are handed out.
module GHC.OpenMP.Schedule
  ( Schedule (..)
  ) where

-- | Source: OpenMP 5.2, 11.5.3. Chunk sizes are iterations; a size below 1 is taken as 1.
--
-- A worker that comes late (its Capability was busy) does not hold up the others: under every
-- schedule they execute what it has not begun.
data Schedule
  = Auto
    -- ^ The library's choice, and the default: contiguous parts, cut into chunks of a size that fits
    -- the loop; who has none left takes half of what another one has left.
  | Static
    -- ^ Equal contiguous parts, one for each worker.
  | StaticChunk !Int
    -- ^ Chunks of this size, dealt out in turn.
  | Dynamic !Int
    -- ^ Chunks of this size, to whoever asks; everybody begins in a part of the loop of his own
    -- (OpenMP's @nonmonotonic@).
  | Guided !Int
    -- ^ The same with shrinking chunks, of at least this size.
  deriving (Eq, Ord, Read, Show)
