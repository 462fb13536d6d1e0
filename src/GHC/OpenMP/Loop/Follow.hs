{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | Bodies that are promised a thread each ("Control.Concurrent.OpenMP").
--
-- One thread executes several of them, one after the other, while they go on. Another thread follows it, on the same Capability, and sees
-- when the body is blocked, or in a @safe@ call, or has been executed for a time slice while other threads wanted the Capability. Then
-- stand-ins take the thread's shares, of the innermost call and of those around it, in which bodies wait that have not begun.
--
-- A thread has one follower for all calls that it is inside of. So a call inside of another one starts no thread. (To start one makes
-- the RTS change to another thread soon, which takes a bound thread some 20 us there and back. Divide and conquer by pairs in the
-- main thread took thirty times as long with a follower for each call.)
--
-- Invariant: while a thread holds a share of a loop that goes on, and the share is on its list, its follower lives. A follower ends by
-- making the list 'Alone' in one step, from the very list on which it has seen no such share; and who puts a share on an 'Alone' list
-- starts a follower.
module GHC.OpenMP.Loop.Follow
  ( follow
  , unfollow
  , participateFollowed
  ) where

import Control.Concurrent (forkOn, threadCapability, yield)
import Control.Monad (filterM, unless, void, when)
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
import GHC.OpenMP.Loop.Primitive (modify, myThreadNumber, observe, observed, replaceObserved)
import GHC.OpenMP.Loop.Share
import System.IO.Unsafe (unsafePerformIO)

foreign import ccall unsafe "ghcomp_loop_thread_does" c_thread_does :: ThreadId# -> IO CInt
foreign import ccall unsafe "ghcomp_loop_thread_is_here" c_is_here :: ThreadId# -> IO CBool

-- | A call that a thread is inside of, and its share there.
data Level = Level !Job !Share

-- | The calls that a thread is inside of, the innermost first.
data Levels
  = Followed [Level]
  | Alone             -- ^ It has no follower. None of its shares could be taken, when it had one.

-- | The number of a thread, and its levels.
data Entry = Entry !Int64 !(IORef Levels)

-- | Where a thread finds its levels, by the last bits of its number. Another thread may write an entry of its own there; then the thread
-- has another follower for its further calls. An entry refers to no thread: what nothing wakes must be found by the collector.
entries :: MutableArray RealWorld Entry
entries = unsafePerformIO (newIORef Alone >>= newArray (lastBits + 1) . Entry (-1))
{-# NOINLINE entries #-}

lastBits :: Int
lastBits = 255

entryOf :: Int64 -> Int
entryOf number = fromIntegral number .&. lastBits

-- | The calling thread begins to draw bodies of the job for this share, with exceptions masked.
follow :: Job -> Share -> IO ()
follow job share = do
  number <- myThreadNumber
  Entry whose known <- readArray entries (entryOf number)
  if whose == number
    then modify known push >>= \alone -> when alone (start known)
    else do
      made <- newIORef (Followed [level])
      writeArray entries (entryOf number) (Entry number made)
      start made
  where
    level = Level job share
    push levels = case levels of
      Followed others -> (Followed (level : others), False)
      Alone -> (Followed [level], True)
    start known = do
      thread <- myThreadId
      now <- getMonotonicTimeNSec
      following thread known now Nothing
{-# NOINLINE follow #-}

-- | It does not any more. What another follower knows of it is over, which that one sees.
unfollow :: Share -> IO ()
unfollow share = do
  endShare share
  number <- myThreadNumber
  Entry whose known <- readArray entries (entryOf number)
  when (whose == number) (modify known (\levels -> (pop levels, ())))
  where
    pop levels = case levels of
      Followed (Level _ own : others) | sameShare own share -> Followed others
      _ -> levels
{-# NOINLINE unfollow #-}

-- | 'participate', followed if the job's bodies are promised a thread each.
participateFollowed :: Job -> Participant -> Bool -> IO ()
participateFollowed job self begins
  | isPromised job = follow job (shareOf self) >> participate job self begins >> unfollow (shareOf self)
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
  void (forkOn capability (look thread known time last'))

look :: ThreadId -> IORef Levels -> Word64 -> Maybe Body -> IO ()
look thread@(ThreadId it) known time last' = do
  before <- observe known
  left <- filterM (\(Level _ share) -> isWanted share) (outermostFirst (observed before))
  does <- toEnum . fromIntegral <$> c_thread_does it
  now <- getMonotonicTimeNSec
  case (left, does) of
    ([], _) -> end before now
    (_, HasEnded) -> end before now
    (outer : _, HoldsStill) -> takes now outer
    (outer@(Level _ share) : _, GoesOn) -> do
      number <- bodyOf share
      let body = case last' of
            Just known'@(Body share' number' _) | sameShare share share' && number == number' -> known'
            _ -> Body share number time
          Body _ _ since = body
      if now - since >= slice then takes now outer else again now (Just body)
  where
    outermostFirst levels = case levels of
      Followed those -> reverse those
      Alone -> []
    isWanted share = isHeld share >>= \mine -> if mine then not <$> isCancelled share else pure False
    -- The follower itself becomes the stand-in, and another one follows. (Threads that it starts to take shares would pile up while the
    -- first of them waits for the board, which a thread of another Capability may be changing.)
    takes now level = takeHere (following thread known now Nothing) level >>= \taken -> unless taken (again now Nothing)
    again now body = do
      here <- c_is_here it
      if here /= 0 then yield >> look thread known now body else following thread known now body
    end before now = replaceObserved known before Alone >>= \done -> unless done (look thread known now Nothing)
    -- As long as the RTS lets a thread run by default. With less, bodies that soon end would get threads.
    slice = 20000000 -- ns

-- | The calling thread takes the share, performs the action, and executes bodies until there are none. False: it did not get the share.
takeHere :: IO () -> Level -> IO Bool
takeHere first (Level job share) = do
  _ <- introduce (boardOf job) (callerThread job)
  self <- newParticipant (shareWorker share)
  begins <- enrol (boardOf job) self
  taken <- if begins then takeAction share (shareOf self) else pure NothingLeft
  if taken == Taken then True <$ (first >> participateFollowed job self True) else False <$ endShare (shareOf self)
