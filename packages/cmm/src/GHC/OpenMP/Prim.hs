{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | Queries that cost nothing, because the runtime system has the answer in a register: primitive
-- operations in Cmm. The answer may be out of date at once, unless the thread is bound to its
-- Capability ('Control.Concurrent.forkOn').
--
-- In GHCi, modules that import these must be compiled with @-fobject-code@: bytecode has no primitive
-- imports. This module itself is compiled.
module GHC.OpenMP.Prim
  ( capabilityNumber
  , capabilityIsWanted
  , threadNumber
  ) where

import Foreign.C.Types (CInt (..))
import GHC.Exts
import GHC.IO (IO (..))
import GHC.OpenMP.Cmm (cmm)

[cmm| capability# :: State# RealWorld -> (# State# RealWorld, Word# #)
()
{
    return (TO_W_(Capability_no(MyCapability())));
}
|]

[cmm| wanted# :: State# RealWorld -> (# State# RealWorld, Word# #)
()
{
    return (HpLim == 0);
}
|]

foreign import ccall unsafe "omp_get_thread_num" c_thread_num :: IO CInt

-- | The number of the Capability that runs this thread, from 0. Below 1 ns.
--
-- @since 0.1.0
capabilityNumber :: IO Int
capabilityNumber = IO $ \s -> case capability# s of (# s1, n #) -> (# s1, I# (word2Int# n) #)
{-# INLINE capabilityNumber #-}

-- | True: the runtime system wants the Capability back, for a collection, another thread or an
-- exception. A loop that does not allocate should then call 'Control.Concurrent.yield'. Below 1 ns.
--
-- @since 0.1.0
capabilityIsWanted :: IO Bool
capabilityIsWanted = IO $ \s -> case wanted# s of (# s1, n #) -> (# s1, isTrue# (word2Int# n /=# 0#) #)
{-# INLINE capabilityIsWanted #-}

-- | OpenMP's number of the calling thread in its team, as 'GHC.OpenMP.Settings.threadNumber'. The C
-- side has this number, so this is an unsafe call: about 1 ns.
--
-- @since 0.1.0
threadNumber :: IO Int
threadNumber = fromIntegral <$> c_thread_num
{-# INLINE threadNumber #-}
