{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | Bodies that are promised a thread each ("Control.Concurrent.OpenMP").
--
-- One thread executes several of them, one after the other, while they go on. Another thread follows it, on the same Capability, and sees
-- when the body is blocked, or in a @safe@ call, or has been executed for a time slice while other threads wanted the Capability. Then
-- stand-ins take the thread's shares, of the innermost call and of those around it, in which bodies wait that have not begun.
--
-- The caller of such bodies executes none of them: a thread of its own does, the caller's deputy. For what is thrown to the caller is
-- thrown to the call, and not to an action, which may have a handler for it.
--
-- A deputy that is inside of another call, which it executes for that one's caller, has the same follower: the thread of the innermost
-- call is followed. So divide and conquer by pairs executes one branch after the other, on one thread for each call that it is inside
-- of, and not all branches at once.
--
-- Invariant: while a thread holds a share of a loop that goes on, and the share is on a list, the list's follower lives, or the caller of
-- the outermost call on it is about to run, and starts one ('Promised'). A follower ends by making the list 'Alone' in one step, from the
-- very list on which it has seen no such share; and who puts a share on an 'Alone' list promises a follower.
module GHC.OpenMP.Loop.Follow
  ( Levels
  , callersLevels
  , follow
  , followNow
  , unfollow
  , remember
  , participateFollowed
  ) where

import Control.Concurrent (forkOn, threadCapability, yield)
import Control.Monad (unless, void)
import Data.Bits ((.&.))
import Data.Int (Int64)
import Data.IORef
import Data.Primitive.Array (MutableArray, newArray, readArray, writeArray)
import Data.Word (Word64)
import Foreign.C.Types (CBool (..), CInt (..))
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Conc (ThreadId (..), myThreadId)
import GHC.Exts (RealWorld, ThreadId#)
import GHC.OpenMP.Loop.Board
import GHC.OpenMP.Loop.Ended (threadOf)
import GHC.OpenMP.Loop.Primitive (modify, numberOf, observe, observed, replaceObserved)
import GHC.OpenMP.Loop.Share
import System.IO.Unsafe (unsafePerformIO)

foreign import ccall unsafe "ghcomp_loop_thread_does" c_thread_does :: ThreadId# -> IO CInt
foreign import ccall unsafe "ghcomp_loop_thread_is_here" c_is_here :: ThreadId# -> IO CBool

-- | A call, and the thread that executes its bodies, with its share.
data Level = Level !Job !Share !ThreadId

-- | Calls, each made in a body of the next one. The innermost is the first.
data Levels
  = Followed [Level]
  | Promised [Level]  -- ^ The caller of the outermost one will start a follower as soon as it runs, if that call still goes on.
  | Alone             -- ^ They have no follower. None of their shares could be taken, when they had one.

-- | The number of a thread, and the calls around what it executes.
data Entry = Entry !Int64 !(IORef Levels)

-- | Where a thread finds its levels, by the last bits of its number. Another thread may write an entry of its own there; then the thread
-- has another follower for its further calls. An entry that is 'Alone' refers to no thread, and it becomes so when all of them are
-- blocked: what nothing wakes must be found by the collector.
entries :: MutableArray RealWorld Entry
entries = unsafePerformIO (newIORef Alone >>= newArray (lastBits + 1) . Entry (-1))
{-# NOINLINE entries #-}

lastBits :: Int
lastBits = 255

entryOf :: Int64 -> Int
entryOf number = fromIntegral number .&. lastBits

-- | The calls that the calling thread is inside of, if it knows them.
callersLevels :: IO (Maybe (IORef Levels))
callersLevels = do
  number <- myThreadId >>= numberOf
  Entry whose known <- readArray entries (entryOf number)
  pure (if whose == number then Just known else Nothing)

-- | The calling thread, which is inside of these, has returned from a call. Threads of that call may have written over its entry, and its
-- next call would have another follower; for the one that it has now, it would be blocked.
remember :: IORef Levels -> IO ()
remember known = do
  number <- myThreadId >>= numberOf
  writeArray entries (entryOf number) (Entry number known)

-- | The thread begins to draw bodies of the job for this share, of a call that was made inside of these. True: the calling thread must
-- call 'followNow'. Called with exceptions masked.
follow :: Maybe (IORef Levels) -> Job -> Share -> ThreadId -> IO (IORef Levels, Bool)
follow around job share thread = do
  number <- numberOf thread
  let level = Level job share thread
      push levels = case levels of
        Followed others -> (Followed (level : others), False)
        Promised others -> (Promised (level : others), False)
        Alone -> (Promised [level], True)
  found@(known, _) <- case around of
    Just known -> (,) known <$> modify known push
    Nothing -> newIORef (Promised [level]) >>= \made -> pure (made, True)
  found <$ writeArray entries (entryOf number) (Entry number known)
{-# NOINLINE follow #-}

-- | Starts the follower that was promised.
followNow :: IORef Levels -> IO ()
followNow known = modify known begin >>= mapM_ start
  where
    begin levels = case levels of
      Promised those@(Level _ _ innermost : _) -> (Followed those, Just innermost)
      _ -> (Alone, Nothing)
    start thread = getMonotonicTimeNSec >>= \now -> following thread known now Nothing
{-# NOINLINE followNow #-}

-- | It does not any more.
unfollow :: IORef Levels -> Share -> IO ()
unfollow known share = modify known (\levels -> (pop levels, ()))
  where
    pop levels = case levels of
      Followed (Level _ own _ : others) | sameShare own share -> Followed others
      Promised (Level _ own _ : others) | sameShare own share -> if null others then Alone else Promised others
      _ -> levels
{-# NOINLINE unfollow #-}

-- | 'participate', followed if the job's bodies are promised a thread each.
participateFollowed :: Job -> Participant -> Bool -> IO ()
participateFollowed job self begins
  | isPromised job = do
      (known, _) <- follow Nothing job (shareOf self) (threadOf (executor self))
      followNow known
      participate job self begins
      unfollow known (shareOf self)
  | otherwise = participate job self begins

isPromised :: Job -> Bool
isPromised NoJob = False
isPromised job = bodiesHaveThreads job

-- ---------------------------------------------------------------------------------- the follower

-- | A body that was under way at the last look, by the share and its number there, and since when.
data Body = Body !Share !Int !Word64

-- | What a followed thread does, in the order of @enum thread_does@.
data Does
  = HoldsStill  -- ^ It is blocked, or in a @safe@ call.
  | GoesOn
  | HasEnded
  deriving Enum

-- | Starts a follower on the thread's Capability, which runs when that one does not. The time is that of the last look, or of the call.
following :: ThreadId -> IORef Levels -> Word64 -> Maybe Body -> IO ()
following thread known time last' = do
  (capability, _) <- threadCapability thread
  void (forkOn capability (look known time last'))

look :: IORef Levels -> Word64 -> Maybe Body -> IO ()
look known time last' = do
  before <- observe known
  now <- getMonotonicTimeNSec
  case observed before of
    Followed levels@(Level _ _ innermost : others) -> outermost levels >>= maybe (end before now) (\outer -> do
      does <- doesNow innermost
      case does of
        HasEnded -> again (headOr innermost others) now Nothing -- its caller takes its level off the list as soon as it runs
        HoldsStill -> takes innermost now outer
        GoesOn -> goOn innermost now outer)
    _ -> end before now
  where
    doesNow (ThreadId it) = toEnum . fromIntegral <$> c_thread_does it
    headOr innermost others = case others of
      Level _ _ thread : _ -> thread
      [] -> innermost
    -- Of the outermost call that has bodies which have not begun.
    outermost = firstWanted . reverse
    firstWanted [] = pure Nothing
    firstWanted (level@(Level _ share _) : others) = isWanted share >>= \is -> if is then pure (Just level) else firstWanted others
    isWanted share = isHeld share >>= \mine -> if mine then not <$> isCancelled share else pure False
    goOn thread now outer@(Level _ share _) = do
      number <- bodyOf share
      let body = case last' of
            Just known'@(Body share' number' _) | sameShare share share' && number == number' -> known'
            _ -> Body share number time
          Body _ _ since = body
      if now - since >= slice then takes thread now outer else again thread now (Just body)
    -- The follower itself becomes the stand-in, and another one follows. (Threads that it starts to take shares would pile up while the
    -- first of them waits for the board, which a thread of another Capability may be changing.)
    takes thread now level =
      takeHere (following thread known now Nothing) level >>= \taken -> unless taken (again thread now Nothing)
    again thread@(ThreadId it) now body = do
      here <- c_is_here it
      if here /= 0 then yield >> look known now body else following thread known now body
    end before now = replaceObserved known before Alone >>= \done -> unless done (look known now Nothing)
    -- As long as the RTS lets a thread run by default. With less, bodies that soon end would get threads.
    slice = 20000000 -- ns

-- | The calling thread takes the share, performs the action, and executes bodies until there are none. False: it did not get the share.
takeHere :: IO () -> Level -> IO Bool
takeHere first (Level job share _) = do
  _ <- introduce (boardOf job) (callerThread job)
  self <- newParticipant (shareWorker share)
  begins <- enrol (boardOf job) self
  taken <- if begins then takeAction share (shareOf self) else pure NothingLeft
  if taken == Taken then True <$ (first >> participateFollowed job self True) else False <$ endShare (shareOf self)
