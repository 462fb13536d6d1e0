-- Tries: a quotation as an expression.
-- expect: is a declaration
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
module Program where

import GHC.Exts
import GHC.OpenMP.Cmm

program = [cmm| twice# :: Word# -> Word# |]
