-- | What the promises of "Data.Array.Linear" do not cover: whoever imports this module gives them
-- himself.
module Data.Array.Linear.Unsafe
  ( -- * Access without checks
    -- | For loops whose indices have been checked otherwise. An index that is out of bounds reads or
    -- writes somebody else's memory.
    unsafeRead
  , unsafeWrite
    -- * What arrays and tokens are
    -- | For operations that are missing here. The constructor of 'RW' makes tokens, and whoever makes
    -- one sees to it that there is no other; the memory is to be touched after each access by address.
  , Array (..)
  , RW (..)
  ) where

import Data.Array.Linear.Internal
