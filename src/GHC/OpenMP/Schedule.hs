-- | How the iterations of a loop are handed out.
module GHC.OpenMP.Schedule
  ( Schedule (..)
  ) where

-- | Source: OpenMP 5.2, 11.5.3. Chunk sizes are numbers of iterations. A size below 1 counts as 1.
--
-- A worker that comes late, because its Capability was busy, does not delay the others: with every
-- schedule they execute what it has not begun.
data Schedule
  = Auto
    -- ^ The default: contiguous parts, divided into chunks of a size that suits the loop. A worker
    -- that has none left takes half of another worker's.
  | Static
    -- ^ Equal contiguous parts, one for each worker.
  | StaticChunk !Int
    -- ^ Chunks of this size, given to the workers in turn.
  | Dynamic !Int
    -- ^ Chunks of this size, for each worker that needs one. Each worker begins in a part of the
    -- loop of its own (OpenMP's @nonmonotonic@).
  | Guided !Int
    -- ^ The same with shrinking chunks, of at least this size.
  deriving (Eq, Ord, Read, Show)
