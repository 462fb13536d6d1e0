-- Tries: copies a token in a block that ApplicativeDo rewrites.
-- expect: 'Many|multiplicity|Many
-- accepted by: 9.0.2, 9.10.3
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ApplicativeDo #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Vector.Primitive as P
import Prelude hiding (length, read)

copies :: RW s %1 -> Maybe (RW s, RW s)
copies token = do { same <- Just token; pure (same, same) }
