-- Tries: coerces an array of small elements to one of large elements.
-- expect: [Cc]ouldn't match|role
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import qualified Data.Array.Linear as Linear
import qualified Data.Array.Linear.Matrix as Matrix
import Data.Coerce (coerce)
import Data.Monoid (Sum (..))
import Prelude hiding (length, read)

program :: Array s Bool -> Array s Double
program = coerce
