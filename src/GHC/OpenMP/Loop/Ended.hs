{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE ExistentialQuantification #-}

-- | Actions that another thread may end, and the threads that execute them.
--
-- Invariant: when an action has ended, no exception that was to end it arrives any more.
module GHC.OpenMP.Loop.Ended
  ( TaskCancelled
  , isOf
  , thatEnds
  , Urgency (..)
  , urgencyOf
  , moreUrgent
  , Executor
  , newExecutor
  , newExecutorOf
  , threadOf
  , lockOf
  , throwEnd
  , Side
  , newSide
  , begunSide
  , attempt
  , attemptOnce
  , retire
  , isBegun
  , prevent
  , end
  , hasEnded
  , endOf
  ) where

import Control.Concurrent (forkIOWithUnmask, killThread, myThreadId)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (when)
import Data.IORef
import Data.Maybe (fromMaybe)
import GHC.Conc (ThreadId)
import GHC.OpenMP.Loop.Primitive (modify)
import Unsafe.Coerce (unsafeCoerce)

-- | What ends the other bodies of a loop or task group after the first exception, whether a body has
-- thrown that one, or another thread at the caller; and the other action of 'GHC.OpenMP.Task.both' after an exception of one. It is an
-- asynchronous exception, also by its type. It does not leave the call whose bodies it ends.
--
-- @since 0.2.0
data TaskCancelled = forall a. TaskCancelled !(IORef a)

instance Show TaskCancelled where
  show (TaskCancelled _) = "GHC.OpenMP: ended, because the loop, task group or pair ends after an exception elsewhere"

instance Exception TaskCancelled where
  toException = asyncExceptionToException
  fromException = asyncExceptionFromException

-- | It ends what this reference stands for. Loops in bodies have others.
isOf :: IORef a -> SomeException -> Bool
isOf this e = case fromException e of
  Just (TaskCancelled its) -> unsafeCoerce its == this -- whatever they refer to, only their identity counts
  Nothing -> False

-- | The exception that ends what this reference stands for.
thatEnds :: IORef a -> SomeException
thatEnds this = toException (TaskCancelled this)

-- | Of two exceptions that end one action, which one goes on. One that another thread of the program has thrown must not be lost, or a
-- timeout would have no effect; its type is the first thing that tells it from one of the action. What ends an action from inside of the
-- package comes next: it may have come for something around this action. Of two of these it is the second, which is that of the action
-- that was executed for another one.
data Urgency = FirstIsMore | SecondIsMore | BothAlike

urgencyOf :: SomeException -> SomeException -> Urgency
urgencyOf first second = case compare (urgency first) (urgency second) of
  GT -> FirstIsMore
  LT -> SecondIsMore
  EQ -> if urgency second == 1 then SecondIsMore else BothAlike
  where
    urgency e
      | Just (TaskCancelled _) <- fromException e = 1
      | Just (SomeAsyncException _) <- fromException e = 2
      | otherwise = 0 :: Int

-- | Of two that are alike, the first one.
moreUrgent :: SomeException -> SomeException -> SomeException
moreUrgent first second = case urgencyOf first second of
  SecondIsMore -> second
  _ -> first

-- ---------------------------------------------------------------------------------- threads

-- | A thread that executes bodies. Whoever can end it keeps it alive, as with @async@: a body that nothing wakes is left alone as long as
-- another one of its loop, or the holder of its task, can still end it. The garbage collector finds it when all of these wait for
-- something that cannot happen. The 'MVar' lets one thread at a time throw to it: two
-- exceptions on their way to one thread may crash the RTS (docs/limits.md).
data Executor = Executor !ThreadId !(MVar ())

-- | The calling thread.
newExecutor :: IO Executor
newExecutor = myThreadId >>= newExecutorOf

newExecutorOf :: ThreadId -> IO Executor
newExecutorOf thread = Executor thread <$> newMVar ()

threadOf :: Executor -> ThreadId
threadOf (Executor thread _) = thread

lockOf :: Executor -> MVar ()
lockOf (Executor _ lock) = lock

-- | Ends what the reference stands for, in that thread. Returns when the exception has arrived.
throwEnd :: IORef a -> Executor -> IO ()
throwEnd this (Executor thread lock) = withMVar lock (\() -> throwTo thread (TaskCancelled this))

-- ---------------------------------------------------------------------------------- sides

-- | One action, executed at most once.
newtype Side = Side (IORef Stage)

data Stage = NotBegun | Runs !Executor | Ending !ThreadId | Over -- by that thread

newSide :: IO Side
newSide = Side <$> newIORef NotBegun

begunSide :: Executor -> IO Side
begunSide executor = Side <$> newIORef (Runs executor)

-- | Executes the action on the calling thread, unless it was ended before. Called with exceptions masked.
attempt :: Side -> Executor -> IO a -> IO (Either SomeException a)
attempt side self action = fromMaybe (Left (endOf side)) <$> attemptOnce side self action

-- | The same. Nothing: it was ended before, or has begun elsewhere.
attemptOnce :: Side -> Executor -> IO a -> IO (Maybe (Either SomeException a))
attemptOnce side@(Side stage) self action = do
  let !runs = Runs self
  begins <- modify stage $ \s -> case s of
    NotBegun -> (runs, True)
    _ -> (s, False)
  if begins then Just <$> try action <* retire side else pure Nothing

-- | The action has ended, and whoever was about to end it does not. Called on its thread, with exceptions
-- masked.
retire :: Side -> IO ()
retire (Side stage) = do
  was <- modify stage ((,) Over)
  case was of
    Ending thrower -> uninterruptibleMask_ (killThread thrower)
    _ -> pure ()

-- | It has begun, or was ended before.
isBegun :: Side -> IO Bool
isBegun (Side stage) = readIORef stage >>= \s -> case s of
  NotBegun -> pure False
  _ -> pure True

-- | The action does not begin. False: it has begun, or was ended before.
prevent :: Side -> IO Bool
prevent (Side stage) = modify stage $ \s -> case s of
  NotBegun -> (Over, True)
  _ -> (s, False)

-- | The action does not begin, or gets 'TaskCancelled'. Does not wait for that: a thread of its own throws,
-- because the action may be where no exception reaches it for a while. True: it had not begun.
end :: Side -> IO Bool
end (Side stage) = do
  was <- atomicModifyIORef' stage $ \s -> case s of
    NotBegun -> (Over, s)
    _ -> (s, s)
  case was of
    NotBegun -> pure True
    Runs executor -> False <$ forkIOWithUnmask (\unmask -> unmask (throwAt executor))
    _ -> pure False
  where
    throwAt executor = do
      self <- myThreadId
      first <- atomicModifyIORef' stage $ \s -> case s of
        Runs _ -> (Ending self, True)
        _ -> (s, False)
      when first (throwEnd stage executor)

-- | The exception was that of 'end'.
hasEnded :: Side -> SomeException -> Bool
hasEnded (Side stage) = isOf stage

-- | The exception of 'end'.
endOf :: Side -> SomeException
endOf (Side stage) = thatEnds stage
