{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | What loops and tasks need of the runtime system beyond base.
module GHC.OpenMP.Loop.Primitive
  ( awaitMVar
  , inState
  , replace
  , modify
  , Observed
  , observe
  , observed
  , replaceObserved
  , numberOf
  , myThreadNumber
  , isInTransaction
  ) where

import Control.Exception
import Data.Int (Int64)
import Data.IORef (atomicModifyIORef', readIORef)
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

-- | The very object that a reference held, for 'replaceObserved'.
newtype Observed a = Observed a

observe :: IORef a -> IO (Observed a)
observe ref = Observed <$> readIORef ref
{-# INLINE observe #-}

-- | Its value. Not inlined: the compiler would use the evaluated object, or a copy of it, for the one that the reference held.
observed :: Observed a -> a
observed (Observed x) = x
{-# NOINLINE observed #-}

-- | True: the reference still held this object, and now holds the other one.
replaceObserved :: IORef a -> Observed a -> a -> IO Bool
replaceObserved ref (Observed old) new = new `seq` replace ref old new
{-# INLINE replaceObserved #-}

-- | As 'atomicModifyIORef'', without a thunk where no other thread changes the reference at the same moment.
modify :: IORef a -> (a -> (a, b)) -> IO b
modify ref change = do
  before <- observe ref
  case change (observed before) of
    (after, x) -> replaceObserved ref before after >>= \done -> if done then pure x else atomicModifyIORef' ref change
{-# INLINE modify #-}

-- | The number of a thread, which no other thread ever has. It is here because a module
-- that GHCi interprets, such as one without unboxed tuples, cannot call C with a 'ThreadId#'.
numberOf :: ThreadId -> IO Int64
numberOf (ThreadId thread) = c_thread thread

-- | That of the calling thread.
myThreadNumber :: IO Int64
myThreadNumber = myThreadId >>= numberOf

-- | The calling thread is in a transaction of STM. It is here for the same reason.
isInTransaction :: IO Bool
isInTransaction = myThreadId >>= \(ThreadId thread) -> (/= 0) <$> c_in_transaction thread
{-# NOINLINE isInTransaction #-}
