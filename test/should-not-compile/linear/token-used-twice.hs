-- Tries: writes twice with one token.
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

program :: Int
program = unur (alloc 2 (\array token -> both (write array 0 1 token) (write array 1 2 token)))

both :: RW s %1 -> RW s %1 -> Ur Int
both a b = done 0 a
