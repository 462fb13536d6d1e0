-- Tries: drops the token of a read with a wildcard pattern.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Array s Int -> RW s %1 -> Ur Int
program array token = read array 0 token & \case (x, _) -> x
