-- Tries: uses a token again that a read has consumed.
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
program array token = Linear.read array 0 token & \case
  (Ur x, token2) -> second (write array 0 9 token) (done x token2)

second :: RW s %1 -> Ur a %1 -> Ur a
second t (Ur a) = done a t
