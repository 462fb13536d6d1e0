-- Tries: writes after done.
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
program array token = second (done 1 token) (write array 0 1 token)

second :: Ur a %1 -> RW s %1 -> Ur a
second (Ur a) t = done a t
