{-# LANGUAGE BangPatterns #-}

-- | The tasks of a group that threads create which are not its members: helpers of a loop in a task, threads that a task forked, and
-- threads that execute one task because another one waits for it; and those of members whose deques were full. Beside these, it counts tasks
-- of deques that are executed there.
--
-- A thread that waits for its own task finds it among the youngest. Whoever looks for something to do gets the oldest, which for divide
-- and conquer is the largest. A task that has begun elsewhere is left where it is, and taken out by whoever comes past; or by a purge,
-- when there may be more of those than of others.
--
-- Invariant: no task is accepted after the group is closed, and it is closed only while all that were accepted have ended, or were given up.
module GHC.OpenMP.Task.Outside
  ( Outside
  , nothingOutside
  , Accepted (..)
  , accept
  , takeOldest
  , adopt
  , takeBackByNumber
  , countEnded
  , anyIsLeft
  , latest
  , allHaveEnded
  , closeIfEnded
  , isClosed
  , takeAll
  ) where

import Data.IORef
import Data.List (partition)
import GHC.OpenMP.Loop.Primitive (modify, observe, observed, replaceObserved)

data Outside task = Outside
  { accepted :: !Int               -- ^ so far, or adopted
  , unended :: !Int                -- ^ of these
  , young :: [(Int, task)]         -- ^ the youngest first, with their numbers
  , old :: [(Int, task)]           -- ^ the oldest first; older than all those
  , known :: !Int                  -- ^ in both lists, of those that may begin elsewhere
  , mostKnown :: !Int              -- ^ then they are purged
  , closed :: !Bool
  }

nothingOutside :: Outside task
nothingOutside = Outside 0 0 [] [] 0 fewKnown False

-- | Until there are so many, a purge is not worth its time.
fewKnown :: Int
fewKnown = 64

-- | The task's number, from 1; or the group is closed.
data Accepted = Accepted !Int | Refused

-- | @accept mayBegin hasBegun outside task@. @mayBegin@: while it is here.
accept :: (task -> Bool) -> (task -> IO Bool) -> IORef (Outside task) -> task -> IO Accepted
accept mayBegin hasBegun outside task = do
  before <- observe outside
  let o = observed before
  (!gone, rest) <- dropBegun (0 :: Int) (young o)
  let !after = with task o { young = rest, known = known o - gone }
  done <- if closed o then pure False else replaceObserved outside before after
  taken <- if done then pure after else atomicModifyIORef' outside (\o' -> if closed o' then (o', o') else let o2 = with task o' in (o2, o2))
  if closed taken then pure Refused else do
    if known taken > mostKnown taken then purge mayBegin hasBegun outside else pure ()
    pure (Accepted (accepted taken))
  where
    with t o = o { accepted = accepted o + 1, unended = unended o + 1, young = (accepted o + 1, t) : young o, known = known o + fromEnum (mayBegin t) }
    dropBegun !k ts = case ts of
      (_, t) : others -> hasBegun t >>= \begun -> if begun then dropBegun (k + 1) others else pure (k, ts)
      [] -> pure (k, ts)
{-# INLINE accept #-}

-- | Takes out those that have begun. The next time is when as many have come as are in the lists now, so this takes constant time for each.
purge :: (task -> Bool) -> (task -> IO Bool) -> IORef (Outside task) -> IO ()
purge mayBegin hasBegun outside = do
  before <- observe outside
  let o = observed before
  younger <- waiting (young o)
  older <- waiting (old o)
  let left = map snd younger ++ map snd older
      !many = length (filter mayBegin left)
      !more = length left + fewKnown
  done <- replaceObserved outside before o { young = younger, old = older, known = many, mostKnown = many + more }
  if done then pure () else modify outside (\o' -> (o' { mostKnown = known o' + more }, ()))
  where
    waiting ts = case ts of
      [] -> pure []
      entry : others -> hasBegun (snd entry) >>= \begun -> (if begun then id else (entry :)) <$> waiting others
{-# INLINABLE purge #-}

-- | It belongs to the calling thread, but may have begun.
takeOldest :: (task -> Bool) -> IORef (Outside task) -> IO (Maybe task)
takeOldest mayBegin outside = readIORef outside >>= \o ->
  if null (young o) && null (old o) then pure Nothing else atomicModifyIORef' outside first
  where
    first o = case old o of
      (_, task) : others -> (without task o { old = others }, Just task)
      [] -> case reverse (young o) of
        (_, task) : others -> (without task o { young = [], old = others }, Just task)
        [] -> (o, Nothing)
    without task o = o { known = known o - fromEnum (mayBegin task) }

-- | A task of a deque is about to begin on a thread that is no member. Its place there is free as soon as it has begun, and the group has to
-- wait for it. False: the group is closed.
adopt :: IORef (Outside task) -> IO Bool
adopt outside = modify outside $ \o ->
  if closed o then (o, False) else (o { accepted = accepted o + 1, unended = unended o + 1 }, True)

-- | The task with this number, which could not begin elsewhere, no longer waits, and counts as ended. False: another thread has it.
takeBackByNumber :: IORef (Outside task) -> Int -> IO Bool
takeBackByNumber outside n = modify outside $ \o -> case young o of
  (m, _) : others | m == n -> (without o { young = others }, True)
  _ -> case (partition ((== n) . fst) (young o), partition ((== n) . fst) (old o)) of
    (([], _), ([], _)) -> (o, False)
    ((_, younger), (_, older)) -> (without o { young = younger, old = older }, True)
  where without o = o { unended = unended o - 1 }

-- | A task has ended. True: it was the last one.
countEnded :: IORef (Outside task) -> IO Bool
countEnded outside = modify outside (\o -> let n = unended o - 1 in (o { unended = n }, n == 0))

-- | There is one that has not begun.
anyIsLeft :: (task -> Bool) -> (task -> IO Bool) -> IORef (Outside task) -> IO Bool
anyIsLeft mayBegin hasBegun outside = readIORef outside >>= \o -> case take 1 (young o) ++ take 1 (old o) of
  [] -> pure False
  ends -> and <$> mapM (hasBegun . snd) ends >>= \all' -> if not all' then pure True else do
    purge mayBegin hasBegun outside
    (\o' -> not (null (young o') && null (old o'))) <$> readIORef outside

-- | A look that is a read-modify-write, as all changes are. For a thread that has said that it will sleep: either it sees a task that was
-- accepted, or the end of the last one; or whoever did that sees afterwards that it sleeps.
latest :: IORef (Outside task) -> IO (Outside task)
latest outside = modify outside (\o -> (o, o))

allHaveEnded :: Outside task -> Bool
allHaveEnded = (== 0) . unended

-- | All had ended in this state, and none has been accepted since: none is accepted any more.
closeIfEnded :: IORef (Outside task) -> Outside task -> IO Bool
closeIfEnded outside before = modify outside $ \o ->
  if accepted o == accepted before then (o { closed = True }, True) else (o, False)

isClosed :: Outside task -> Bool
isClosed = closed

-- | @takeAll forEver outside@: those that wait. @forEver@: none is accepted any more.
takeAll :: Bool -> IORef (Outside task) -> IO [task]
takeAll forEver outside = atomicModifyIORef' outside $ \o ->
  (o { young = [], old = [], known = 0, closed = closed o || forEver }, map snd (young o) ++ map snd (old o))
