-- Control: a correct quotation.
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
    return (a + a);
}
|]

program :: Word -> Word
program (W# a) = W# (twice# a)
