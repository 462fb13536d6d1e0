-- Tries: copies a token by an implicit parameter.
-- expect: 'Many|multiplicity|Many
-- accepted by: 9.0.2, 9.10.3
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ImplicitParams #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

copies :: RW s %1 -> (RW s, RW s)
copies token = let ?token = token in (?token, ?token)
