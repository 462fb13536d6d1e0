-- | Actions behind pure values.
--
-- They may be evaluated in a transaction of STM. When other threads have changed what it has read, the RTS
-- takes the thread back to its beginning, without running handlers: an action in the middle would leave the thread masked,
-- and keep what it has taken.
module GHC.OpenMP.Loop.Value
  ( pureLoop
  , besideTransaction
  ) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar
import Control.Exception
import GHC.Conc (myThreadId)
import GHC.OpenMP.Loop.Primitive (awaitMVar, isInTransaction)
import System.IO.Unsafe (unsafePerformIO)

-- | In a transaction the action runs in a thread of its own, which goes on whatever happens to this one. A thread that needs
-- the value later goes on waiting for it.
besideTransaction :: IO a -> IO a
besideTransaction action = isInTransaction >>= \inside -> if inside then elsewhere action else action
{-# INLINE besideTransaction #-}

elsewhere :: IO a -> IO a
elsewhere action = do
  done <- newEmptyMVar
  _ <- forkIO (try action >>= putMVar done)
  awaitMVar (readMVar done) >>= either (throwIO :: SomeException -> IO a) pure
{-# NOINLINE elsewhere #-}

-- | The value of an action that only computes it, in loops.
--
-- The thread that evaluates it may be interrupted, while another thread needs the value. The
-- interrupting exception must not become the value, and nothing shows that it came from outside,
-- because any exception may be thrown to a thread. So every exception is thrown to this thread
-- again, from outside, and a thread that needs the value later begins again here. An exception of
-- the value itself comes each time.
pureLoop :: IO a -> a
pureLoop action = unsafePerformIO (besideTransaction compute)
  where
    compute = try action >>= either again pure
    again e = myThreadId >>= \self -> throwTo self (e :: SomeException) >> compute
{-# NOINLINE pureLoop #-}
