-- | Actions behind pure values.
--
-- They may be evaluated in a transaction of STM. When other threads have changed what it has read, the RTS
-- takes the thread back to its beginning, without running handlers: an action in the middle would leave the thread masked,
-- and keep what it has taken.
--
-- An exception of the value becomes the value. One that another thread throws at the thread that evaluates it must not:
-- the evaluation is suspended, and whoever needs the value later goes on with it. GHC does so with values that need no loop.
-- Nothing in an exception shows how it came, because any exception may be thrown at a thread.
module GHC.OpenMP.Loop.Value
  ( pureLoop
  , ofValue
  , isOfValue
  , besideTransaction
  ) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar
import Control.Exception
import Data.Maybe (isJust)
import Foreign.C.Types (CBool (..))
import Foreign.StablePtr
import GHC.Conc (myThreadId)
import GHC.IO (noDuplicate, unsafeDupableInterleaveIO)
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Primitive (awaitMVar, isInTransaction)
import System.IO.Unsafe (unsafePerformIO)

foreign import ccall unsafe "ghcomp_has_thrown" c_has_thrown :: StablePtr a -> IO CBool

-- ---------------------------------------------------------------------------------- transactions

-- | In a transaction the action runs in a thread of its own, which goes on whatever happens to this one. A thread that needs
-- the value later goes on waiting for it.
besideTransaction :: IO a -> IO a
besideTransaction action = isInTransaction >>= \inside -> if inside then elsewhere action else action
{-# INLINE besideTransaction #-}

elsewhere :: IO a -> IO a
elsewhere action = do
  done <- newEmptyMVar
  _ <- forkIO (try action >>= putMVar done)
  await done >>= either (throwIO :: SomeException -> IO a) pure
{-# NOINLINE elsewhere #-}

-- | Whatever is thrown here comes from outside.
await :: MVar a -> IO a
await done = try (awaitMVar (readMVar done)) >>= either (\e -> suspend e >> await done) pure

-- ---------------------------------------------------------------------------------- exceptions

-- | An exception of the value, on its way through the loop.
newtype OfValue = OfValue SomeException

instance Show OfValue where
  showsPrec p (OfValue e) = showsPrec p e

instance Exception OfValue

-- | A part of 'pureLoop' that executes what the value consists of. Not inside another part.
--
-- The action is performed by a thunk, because a thunk shows how its evaluation has ended (@cbits/LoopValue.c@). It must be a new
-- one each time: a thunk that was shared between two executions would give the exception of the first one to the second. Cost: 10 ns.
ofValue :: (a -> IO b) -> a -> IO b
ofValue action argument = do
  thunk <- unsafeDupableInterleaveIO (Result <$> action argument)
  (evaluate thunk >>= \(Result x) -> pure x) `catch` \e -> do
    own <- hasThrown thunk
    throwIO (if own && not (isEnd e) then toException (OfValue e) else e)
  where
    -- An action in an element may catch it, and throw it again. It has come to end this loop, or one around it.
    isEnd e = isJust (fromException e :: Maybe TaskCancelled)
{-# NOINLINE ofValue #-}

-- | The exception comes out of 'ofValue', and is one of the value.
isOfValue :: SomeException -> Bool
isOfValue e = isJust (fromException e :: Maybe OfValue)

data Result a = Result a

hasThrown :: Result a -> IO Bool
hasThrown thunk = do
  pointer <- newStablePtr thunk
  thrown <- c_has_thrown pointer
  freeStablePtr pointer
  pure (thrown /= 0)
{-# NOINLINE hasThrown #-}

-- | The value of an action that only computes it, in loops. What the value consists of is executed in 'ofValue'. All other exceptions
-- come from outside, and when a thread needs the value after one, it begins again.
pureLoop :: IO a -> a
pureLoop action = unsafePerformIO compute
  where
    compute = besideTransaction (try action) >>= either failed pure
    failed e = case fromException e of
      Just (OfValue own) -> throwIO own
      Nothing -> suspend e >> compute
{-# NOINLINE pureLoop #-}

-- | Throws the exception at the calling thread, from outside, and returns when the value is needed again. Then another thread may
-- evaluate what needs the value, too: only one of them goes on. Not called in a handler: whoever goes on would leave its masking.
suspend :: SomeException -> IO ()
suspend e = myThreadId >>= (`throwTo` e) >> noDuplicate
