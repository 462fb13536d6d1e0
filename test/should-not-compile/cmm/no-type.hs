-- Tries: a quotation without a type.
-- expect: expected a line .name :: type
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
module Program where

import GHC.Exts
import GHC.OpenMP.Cmm

[cmm|
(W_ a) {
    return (a);
}
|]
