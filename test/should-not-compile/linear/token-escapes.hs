-- Tries: returns the token from alloc.
-- expect: would escape|[Cc]ouldn.t match|rigid|'Many
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

program :: RW s
program = unur (alloc 2 (\_ token -> Ur token))
