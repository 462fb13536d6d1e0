-- Tries: combines halves of different splits.
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

program :: Array s Int -> Array t Int -> RW s %1 -> RW t %1 -> Ur Int
program a b ta tb = split a 1 ta & \case
  Slices _ l _ r -> split b 1 tb & \case
    Slices _ l2 _ r2 -> both (combine l r2) (combine l2 r)

both :: RW s %1 -> RW t %1 -> Ur Int
both a b = finish (done () a) (done () b)

finish :: Ur () %1 -> Ur () %1 -> Ur Int
finish (Ur ()) (Ur ()) = Ur 0
