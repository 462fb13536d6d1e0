-- | Stand-ins: threads that take over the shares of threads which are blocked in their bodies.
--
-- A loop is executed by few threads, one for each Capability, and each executes many bodies. If bodies wait for each other, or sleep,
-- that is too few. So if all threads of a loop are blocked and none makes progress, a stand-in takes a share over. If it is blocked
-- itself, the next one takes that over, and so on, up to a number that doubles as long as nothing moves. While some thread of the loop
-- makes progress, no stand-in comes: a loop over a thousand files does not open them all because a disk is slow. (Bodies that are
-- promised a thread each: "GHC.OpenMP.Loop.Follow".)
module GHC.OpenMP.Loop.StandIn
  ( Look (..)
  , lookAt
  , Holder (..)
  , standIn
  , howMany
  , notStalled
  ) where

import Control.Concurrent (forkOn, threadCapability, yield)
import Control.Monad (void, when)
import Data.Maybe (catMaybes)
import GHC.Conc (BlockReason (..), ThreadId, ThreadStatus (..), myThreadId, threadStatus)
import GHC.OpenMP.Loop.Board
import GHC.OpenMP.Loop.Ended
import GHC.OpenMP.Loop.Follow (participateFollowed)
import GHC.OpenMP.Loop.Share

-- | What the watching thread has seen of a loop since it last looked.
data Look
  = Progress          -- ^ a thread has begun another body
  | Runs              -- ^ a thread runs
  | OnlyCallerRuns !Int -- ^ the caller runs, and so many others, which are blocked
  | Begins            -- ^ all are blocked; this was the first look at some
  | Stalled [Holder]  -- ^ all are blocked; these have shares
  | Settled !Int      -- ^ nothing is left that a stand-in could take, of the caller and so many others

-- | A thread that has a share, or has passed it on and is still in its body.
data Holder = Holder !ThreadId !Share

data Seen = Progressing | Running | New | Stuck | StuckWithShare !Holder

lookAt :: Job -> IO Look
lookAt NoJob = pure Runs
lookAt job = do
  left <- prune (boardOf job)
  let holders = [Holder (threadOf it) share | Participant it share <- left]
  callers <- look (Holder (callerThread job) (callerShare job))
  helpers <- catMaybes <$> mapM look holders
  pure $! judge (length left) callers helpers
  where
    judge others' callers helpers
      | or [True | Progressing <- seen] = Progress
      | Just Running <- callers, all isStuck helpers = OnlyCallerRuns (length helpers)
      | or [True | Running <- seen] = Runs
      | or [True | New <- seen] = Begins
      | null open = Settled others'
      | otherwise = Stalled open
      where
        seen = maybe id (:) callers helpers
        open = [it | StuckWithShare it <- seen]
    isStuck it = case it of
      Stuck -> True
      StuckWithShare _ -> True
      _ -> False

-- | Nothing: it has ended its part.
look :: Holder -> IO (Maybe Seen)
look it@(Holder thread share) = do
  gone <- isOver share
  if gone then pure Nothing else do
    position <- positionOf share
    passed <- isPassedOn share
    status <- threadStatus thread
    pure $! case status of
      ThreadFinished -> Nothing
      ThreadDied -> Nothing
      _ | Changed <- position -> Just Progressing
      ThreadBlocked BlockedOnForeignCall -> Just Running
      ThreadBlocked _ -> Just $ case position of
        FirstLook -> New
        _ -> if passed then Stuck else StuckWithShare it
      _ -> Just Running

-- | Starts a thread that takes the holder's share, if the holder is blocked, and then starts the next one, so many in all. Called with
-- exceptions masked.
standIn :: Int -> Job -> Holder -> IO ()
standIn _ NoJob _ = pure ()
standIn most job (Holder thread share) = do
  (capability, _) <- threadCapability thread
  void . forkOn capability $ do
    _ <- introduce (boardOf job) (callerThread job)
    self <- newParticipant (shareWorker share)
    begins <- enrol (boardOf job) self
    taken <- if begins then wanted patience (shareOf self) else pure NothingLeft
    if taken == Taken then follow self >> participateFollowed job self True else endShare (shareOf self)
  where
    wanted :: Int -> Share -> IO Taken
    wanted tries own = takeShare thread share own >>= \taken ->
      if taken == HolderRuns && tries > 0 then yield >> wanted (tries - 1) own else pure taken
    -- The holder may have been stopped just before it blocks, for another thread of its Capability.
    patience = 2
    follow self = when (most > 1) (myThreadId >>= \me -> standIn (most - 1) job (Holder me (shareOf self)))

-- | The loop is stalled: how many stand-ins come after each other. Twice as many as the last time.
howMany :: Job -> IO Int
howMany NoJob = pure 0
howMany job = doubled (callerShare job)

-- | The loop makes progress.
notStalled :: Job -> IO ()
notStalled NoJob = pure ()
notStalled job = single (callerShare job)
