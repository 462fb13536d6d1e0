-- Tries: uses the token of a third array in a function that beside may call any number of times.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Effects s => Array u Int -> RW u %1 -> RW s %1 -> (Ur Int, RW s)
program third u token = beside made (\_ t s -> (done 0 t, after (write third 0 1 u) s)) token

after :: RW u %1 -> RW s %1 -> RW s
after u s = done () u & \case Ur () -> s

made :: (forall x. Array (InIO x) Int -> RW (InIO x) %1 -> Ur Int) %1 -> IO Int
made use = allocIO 4 use
