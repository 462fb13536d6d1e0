-- | Operations for which the promises of "Data.Array.Linear" do not hold. A program that imports
-- this module must keep them itself.
module Data.Array.Linear.Unsafe
  ( -- * Access without checks
    -- | For loops whose indices are checked in another way. An index that is out of bounds reads or
    -- writes other memory.
    unsafeRead
  , unsafeWrite
    -- * What arrays and tokens are
    -- | For operations that are missing here. The constructor of 'RW' makes tokens. Code that makes
    -- one must make sure that there is no other, and must touch the memory after each access by
    -- address.
  , Array (..)
  , RW (..)
  ) where

import Data.Array.Linear.Internal
