-- Tries: creates two arrays for one use, each of which would get the token of the existing array.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Effects s => RW s %1 -> (Ur Int, RW s)
program token = beside twice (\array t s -> (done (length array) t, s)) token

twice :: (forall x. Array (InIO x) Int -> RW (InIO x) %1 -> Ur Int) %1 -> IO Int
twice use = allocIO 4 use >> allocIO 5 use
