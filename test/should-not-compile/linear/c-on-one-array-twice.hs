-- Tries: passes one array to C as both arguments.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Effects s => Array s Int -> RW s %1 -> (Ur Int, RW s, RW s)
program array token = callC2 (\_ n _ m -> pure (n + m)) array array token token
