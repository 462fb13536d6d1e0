-- Tries: uses the token of a half after combine.
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

program :: Array s Int -> RW s %1 -> RW s
program array token = split array 1 token & \case
  Slices left l _ r -> use left (combine l r) l

use :: Array t Int -> RW s %1 -> RW t %1 -> RW s
use part whole half = whole
