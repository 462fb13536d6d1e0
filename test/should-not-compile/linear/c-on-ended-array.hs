-- Tries: passes two arrays to C, one of them after done.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: (Effects s, Effects t) => Array s Int -> Array t Int -> RW s %1 -> RW t %1 -> Ur Int
program one two s t = both (done 0 s) (callC2 (\_ n _ m -> pure (n + m)) one two s t)

both :: Ur Int %1 -> (Ur Int, RW s, RW t) %1 -> Ur Int
both (Ur x) (Ur y, s, t) = sumOf x (done y s) (done 0 t)

sumOf :: Int -> Ur Int %1 -> Ur Int %1 -> Ur Int
sumOf x (Ur y) (Ur z) = Ur (x + y + z)
