-- Tries: coerces an array to the index of another array, and uses that array's token.
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

program :: Array s Int -> Array t Int -> RW t %1 -> RW t
program mine theirs = write (coerce mine `asTypeOf` theirs) 0 1
