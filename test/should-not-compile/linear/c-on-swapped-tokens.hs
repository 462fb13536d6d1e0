-- Tries: passes two arrays to C, each with the token of the other.
-- expect: Couldn't match|Couldn.t match type|rigid
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: (Effects s, Effects t) => Array s Int -> Array t Int -> RW s %1 -> RW t %1 -> (Ur Int, RW t, RW s)
program one two s t = callC2 (\_ n _ m -> pure (n + m)) one two t s
