-- Tries: reads the array while C works on it.
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

program :: Effects s => Array s Int -> RW s %1 -> Ur Int
program array token = both (callC (\_ n -> pure n) array token) (Linear.read array 0 token)

both :: (Ur Int, RW s) %1 -> (Ur Int, RW s) %1 -> Ur Int
both (Ur x, t) (Ur y, u) = finish (done x t) (done y u)

finish :: Ur Int %1 -> Ur Int %1 -> Ur Int
finish (Ur x) (Ur y) = Ur (x + y)
