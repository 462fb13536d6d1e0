{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}

-- | How an exception came: thrown by the computation itself, or by another thread at the one that executes it.
--
-- A pure value may be computed by a loop. If another thread interrupts the thread that needs the value (@timeout@), the exception
-- must not become the value. An exception of the computation itself must. GHC does so with values that need no loop: it looks how
-- the exception was thrown. A handler that throws it again would hide that.
module GHC.OpenMP.Loop.Outside
  ( Thrown (..)
  , tryHere
  , throwFromOutside
  , throwAgain
  , isAsynchronous
  ) where

import Control.Concurrent (myThreadId)
import Control.Exception
import Control.Monad (when)
import Foreign.C.Types (CBool (..))
import Foreign.StablePtr
import GHC.Exts (runRW#)
import GHC.IO (IO (..))

foreign import ccall unsafe "ghcomp_is_frozen" c_is_frozen :: StablePtr a -> IO CBool

-- | An exception, and whether it came from outside, or has an asynchronous type: then it may have come from outside to a
-- handler that has thrown it again.
data Thrown = Thrown { fromOutside :: !Bool, exception :: SomeException }

-- | 'try', for exceptions of every type. Cost: a thunk.
tryHere :: IO a -> IO (Either Thrown a)
tryHere action = (evaluate computation >>= \(Result x) -> pure (Right x)) `catch` \e -> do
  pointer <- newStablePtr computation
  frozen <- c_is_frozen pointer
  freeStablePtr pointer
  pure (Left (Thrown (frozen /= 0 || isAsynchronous e) e))
  where computation = suspended action

data Result a = Result a

-- | A thunk that performs the action. One thread evaluates it, and once.
suspended :: IO a -> Result a
suspended (IO action) = case runRW# action of (# _, x #) -> Result x
{-# NOINLINE suspended #-}

isAsynchronous :: SomeException -> Bool
isAsynchronous e = case fromException e of
  Just (SomeAsyncException _) -> True
  Nothing -> False

-- | Throws the exception at the calling thread. The evaluation of a pure value around this is suspended, and returns from here when
-- it goes on.
throwFromOutside :: SomeException -> IO ()
throwFromOutside e = myThreadId >>= (`throwTo` e)

-- | In the same way as it came. An action that others have begun cannot go on later: then the exception is thrown once more.
throwAgain :: Thrown -> IO a
throwAgain thrown = when (fromOutside thrown) (throwFromOutside e) >> throwIO e
  where e = exception thrown
