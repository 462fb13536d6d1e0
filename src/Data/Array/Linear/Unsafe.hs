-- | Access without checks, for loops whose indices have been checked otherwise. An index that is out of
-- bounds reads or writes somebody else's memory.
module Data.Array.Linear.Unsafe
  ( unsafeRead
  , unsafeWrite
  ) where

import Data.Array.Linear.Internal
