-- Tries: Cmm that does not parse; the message names this file and the line (15).
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
