-- Tries: passes a half and the whole array to C in one call.
-- expect: Couldn't match|Couldn.t match type|rigid
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Effects s => Array s Int -> RW s %1 -> RW s
program array token = split array 1 token & \case
  Slices left l _ r -> callC2 (\_ n _ m -> pure (n + m)) left array l r & \case
    (Ur _, l2, r2) -> combine l2 r2
