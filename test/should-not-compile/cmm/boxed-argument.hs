-- Tries: an argument of a type that has no register.
-- expect: Unacceptable argument type|marshal
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
module Program where

import GHC.Exts
import GHC.OpenMP.Cmm

[cmm| first# :: Integer -> Word#
(W_ a) {
    return (a);
}
|]
