-- Tries: a type with a context, which primitive imports do not allow.
-- expect: got .same# :: Eq a => a -> a., expected a line .name :: type
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
module Program where

import GHC.Exts
import GHC.OpenMP.Cmm

[cmm| same# :: Eq a => a -> a
(P_ a) {
    return (a);
}
|]
