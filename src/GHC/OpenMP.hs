-- | One pool of threads for Haskell and OpenMP.
module GHC.OpenMP
  ( version
  ) where

import Foreign.C.String (CString, peekCString)

foreign import ccall unsafe "ghcomp_version" c_version :: IO CString

-- | The runtime's version, as @"0.1.0"@.
version :: IO String
version = c_version >>= peekCString
