-- Tries: copies a token in a list comprehension.
-- expect: 'Many|multiplicity|Many
-- accepted by: 9.0.2
-- refused by: 9.10.3
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

copies :: RW s %1 -> [RW s]
copies token = [token | _ <- [1, 2 :: Int]]
