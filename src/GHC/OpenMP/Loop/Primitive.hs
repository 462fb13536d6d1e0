{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | What loops and tasks need of the runtime system beyond base.
module GHC.OpenMP.Loop.Primitive
  ( awaitMVar
  , inState
  , replace
  , myThreadNumber
  , isInTransaction
  ) where

import Control.Exception
import Data.Int (Int64)
import Foreign.C.Types (CBool (..))
import GHC.Conc (ThreadId (..), myThreadId)
import GHC.Exts (ThreadId#, casMutVar#, isTrue#, maskAsyncExceptions#, maskUninterruptible#, (==#))
import GHC.IO (IO (..), unsafeUnmask)
import GHC.IORef (IORef (..))
import GHC.STRef (STRef (..))

foreign import ccall unsafe "ghcomp_task_thread" c_thread :: ThreadId# -> IO Int64
foreign import ccall unsafe "ghcomp_in_transaction" c_in_transaction :: ThreadId# -> IO CBool

-- | A wait that other threads end. If these wait for ever themselves, they get the exception for
-- that, too, and then end this wait. So the wait goes on.
awaitMVar :: IO a -> IO a
awaitMVar action = action `catch` \BlockedIndefinitelyOnMVar -> awaitMVar action

-- | Runs an action in a given masking state, whatever the calling thread's is.
inState :: MaskingState -> IO a -> IO a
inState Unmasked action = unsafeUnmask action
inState MaskedInterruptible (IO action) = IO (maskAsyncExceptions# action)
inState MaskedUninterruptible (IO action) = IO (maskUninterruptible# action)

-- | True: the reference held this object, and now holds the other one. False may also mean that the
-- compiler has copied the object.
replace :: IORef a -> a -> a -> IO Bool
replace (IORef (STRef variable)) old new = IO $ \s -> case casMutVar# variable old new s of
  (# s', failed, _ #) -> (# s', isTrue# (failed ==# 0#) #)

-- | The number of the calling thread, which no other thread ever has. It is here because a module
-- that GHCi interprets, such as one without unboxed tuples, cannot call C with a 'ThreadId#'.
myThreadNumber :: IO Int64
myThreadNumber = myThreadId >>= \(ThreadId thread) -> c_thread thread

-- | The calling thread is in a transaction of STM. It is here for the same reason.
isInTransaction :: IO Bool
isInTransaction = myThreadId >>= \(ThreadId thread) -> (/= 0) <$> c_in_transaction thread
{-# NOINLINE isInTransaction #-}
