-- Tries: returns the token of the array of beside from beside.
-- expect: Couldn't match|Couldn.t match type|rigid
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Effects s => RW s %1 -> (Ur Int, RW s)
program token = beside (allocIO 4 :: Make) (\_ t s -> (done 0 s, t)) token

type Make = (forall x. Array (InIO x) Int -> RW (InIO x) %1 -> Ur Int) %1 -> IO Int
