-- Tries: combines the halves in the wrong order.
-- expect: Couldn't match|Couldn.t match type
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

program :: Array s Int -> RW s %1 -> RW s
program array token = split array 1 token & \case
  Slices _ l _ r -> combine r l
