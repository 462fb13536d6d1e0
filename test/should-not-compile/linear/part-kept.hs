-- Tries: keeps a part of chunksOf.
-- expect: would escape|rigid|scope|Couldn.t match
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
program array token = chunksOf 2 (\_ part t -> keep part t) array token

keep :: Array t Int -> RW t %1 -> RW s
keep _ t = t
