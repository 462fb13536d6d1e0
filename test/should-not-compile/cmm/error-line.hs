-- Tries: Cmm with a syntax error; the message names this file and line 15.
-- expect: error-line\.hs.?:15
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
module Program where

import GHC.Exts
import GHC.OpenMP.Cmm

[cmm| twice# :: Word# -> Word#
(W_ a) {
    return (a + );
}
|]
