-- Tries: takes the value of a read, and drops the token.
-- expect: 'Many|multiplicity|Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Array s Int -> RW s %1 -> Ur Int
program array token = fst (read array 0 token)
