-- Tries: creates the array in another thread, which would have the token at the same time.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Control.Concurrent (forkIO)
import Data.Array.Linear
import Prelude hiding (length, read)

program :: Effects s => RW s %1 -> (Ur Int, RW s)
program token = beside forked (\array t s -> (done (length array) t, s)) token

forked :: (forall x. Array (InIO x) Int -> RW (InIO x) %1 -> Ur Int) %1 -> IO Int
forked use = 0 <$ forkIO (() <$ allocIO 4 use)
