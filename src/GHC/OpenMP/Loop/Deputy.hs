-- | A thread that does something for a caller, which waits. What is thrown to the caller strikes nothing that the deputy executes, which
-- might have a handler for it: @timeout@ around a call has its effect whatever the actions of the call catch.
module GHC.OpenMP.Loop.Deputy
  ( byDeputy
  ) where

import Control.Concurrent (ThreadId, forkIO, yield)
import Control.Concurrent.MVar
import Control.Exception
import Data.Maybe (fromMaybe)
import GHC.OpenMP.Loop.Ended (moreUrgent)
import GHC.OpenMP.Loop.Primitive (awaitMVar)

-- | @byDeputy begun goesOn interrupted action@ performs the action on a new thread, with exceptions masked, and returns when it has ended,
-- with its result. The caller calls @begun deputy@ before that may be blocked; @goesOn@ if the action has not ended when the caller runs
-- again, and @begun@ has asked for it; and for each exception that it gets meanwhile @interrupted deputy@. Of these exceptions the most urgent
-- one is returned, too. Called with exceptions masked.
byDeputy :: (ThreadId -> IO Bool) -> IO () -> (ThreadId -> IO ()) -> IO a -> IO (Maybe SomeException, Either SomeException a)
byDeputy begun goesOn interrupted action = do
  done <- newEmptyMVar
  deputy <- forkIO (try action >>= putMVar done)
  asked <- begun deputy
  let await struck = try (awaitMVar (takeMVar done)) >>= either (again struck) (\x -> pure (struck, x))
      again struck e = interrupted deputy >> await (Just (fromMaybe e (moreUrgent e <$> struck)))
  if not asked then await Nothing else do
    yield -- a short action ends now
    tryTakeMVar done >>= maybe (goesOn >> await Nothing) (\x -> pure (Nothing, x))
{-# INLINE byDeputy #-}
