-- Tries: passes the whole array to C with the token of a half.
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

program :: Array (InIO x) Int -> RW (InIO x) %1 -> RW (InIO x)
program array token = split array 1 token & \case
  Slices _ l _ r -> callC (\_ n -> pure n) array l & \case
    (Ur _, l2) -> combine l2 r
