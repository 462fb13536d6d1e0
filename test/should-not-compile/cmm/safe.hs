-- Tries: an import by a Safe module. Cmm can read and write any memory.
-- expect: GHC.OpenMP.Cmm: Can.t be safely imported
{-# LANGUAGE Safe #-}
module Program where

import GHC.OpenMP.Cmm (cmm)
