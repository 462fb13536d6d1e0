-- Tries: drops a token by a record pattern that does not name its field.
-- expect: 'Many|multiplicity|Many
-- accepted by: 9.0.2, 9.10.3
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

data Both s = Both { right :: RW s, number :: Int }

dropped :: Both s %1 -> ()
dropped Both{} = ()
