-- Tries: uses the token of the whole array after split.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

program :: Array s Int -> RW s %1 -> Ur Int
program array token = split array 1 token & \case
  Slices _ l _ r -> combine l r & \whole -> consume (write array 0 1 token) whole

consume :: RW s %1 -> RW s %1 -> Ur Int
consume a b = done 0 a
