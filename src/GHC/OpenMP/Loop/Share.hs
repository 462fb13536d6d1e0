{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnliftedFFITypes #-}

-- | The share of a loop that belongs to one thread (@cbits/LoopShare.c@): what it draws, and the rest of its chunk. A thread that is
-- blocked in a body may lose it to a stand-in ("GHC.OpenMP.Loop.StandIn"). So a thread looks after each body what still belongs to it,
-- by plain loads: it loses nothing while it runs.
module GHC.OpenMP.Loop.Share
  ( Worker
  , Share (..)
  , newShare
  , endShare
  , beginTask
  , isOver
  , isPassedOn
  , Position (..)
  , positionOf
  , doubled
  , single
  , Taken (..)
  , takeShare
  , takeAction
  , bodyOf
  , sameShare
  , isHeld
    -- * Drawing
  , drawChunks
  , drawIterations
  , drawActions
  , giveWay
  , cancel
  , isCancelled
  , chunkNumber
  ) where

import Control.Monad (unless, when)
import Data.IORef
import Data.Int (Int64)
import Data.Primitive.ByteArray (MutableByteArray (..), newByteArray, readByteArray, sameMutableByteArray, writeByteArray)
import Foreign.C.Types (CBool (..), CInt (..))
import Foreign.Ptr (Ptr)
import Foreign.Storable (peekByteOff)
import GHC.Conc (ThreadId (..))
import GHC.Exts (MutableByteArray#, RealWorld, ThreadId#)

data WorkerOfC

-- | One of the places from which a loop is executed (@struct loop_worker@).
type Worker = Ptr WorkerOfC

data Share = Share
  { shareWorker :: !Worker
  , words' :: !(MutableByteArray RealWorld)
  }

foreign import ccall unsafe "ghcomp_loop_next" c_next :: Worker -> IO Int64
foreign import ccall unsafe "ghcomp_loop_cancel" c_cancel :: Worker -> IO ()
foreign import ccall unsafe "ghcomp_loop_is_cancelled" c_is_cancelled :: Worker -> IO CBool
foreign import ccall unsafe "ghcomp_loop_take_share"
  c_take_share :: Worker -> ThreadId# -> MutableByteArray# RealWorld -> MutableByteArray# RealWorld -> IO CInt
foreign import ccall unsafe "ghcomp_loop_take_action"
  c_take_action :: Worker -> MutableByteArray# RealWorld -> MutableByteArray# RealWorld -> IO CInt
foreign import ccall unsafe "ghcomp_loop_begin_actions" c_begin_actions :: MutableByteArray# RealWorld -> IO ()
foreign import ccall unsafe "ghcomp_loop_next_action" c_next_action :: Worker -> MutableByteArray# RealWorld -> IO Int64
foreign import ccall unsafe "ghcomp_loop_end_actions" c_end_actions :: MutableByteArray# RealWorld -> IO ()

-- The words: @enum share_word@; where the share was when the watching thread last looked; and of the caller's share, how many stand-ins
-- come the next time.
nextWord, endWord, stateWord, lockWord, seenWord, manyWord :: Int
nextWord = 0
endWord = 1
stateWord = 2
lockWord = 3
seenWord = 4
manyWord = 5

held, passedOn, over :: Int
held = 0
passedOn = 1
over = 2

-- | Of a thread that has drawn nothing yet.
newShare :: Worker -> IO Share
newShare worker = do
  made <- newByteArray 48
  writeByteArray made nextWord (0 :: Int)
  writeByteArray made endWord (0 :: Int)
  writeByteArray made stateWord held
  writeByteArray made lockWord (0 :: Int)
  writeByteArray made seenWord (-1 :: Int)
  writeByteArray made manyWord (1 :: Int)
  pure (Share worker made)
{-# INLINE newShare #-}

-- | Its thread has nothing to do any more.
endShare :: Share -> IO ()
endShare (Share _ ws@(MutableByteArray words#)) = do
  lock <- readByteArray ws lockWord
  if lock == (0 :: Int) then writeByteArray ws stateWord over else c_end_actions words#
{-# INLINE endShare #-}

isHeld :: Share -> IO Bool
isHeld (Share _ ws) = (== held) <$> readByteArray ws stateWord
{-# INLINE isHeld #-}

isOver, isPassedOn :: Share -> IO Bool
isOver (Share _ ws) = (== over) <$> readByteArray ws stateWord
isPassedOn (Share _ ws) = (== passedOn) <$> readByteArray ws stateWord

-- | The thread begins a task of a group, in which there are no chunks.
beginTask :: Share -> IO ()
beginTask (Share _ ws) = do
  n <- readByteArray ws nextWord
  writeByteArray ws nextWord (n + 1 :: Int)

-- | Whether another body has begun since the last look, or another chunk.
data Position = FirstLook | Unchanged | Changed

-- | A look. Called by the watching thread only.
positionOf :: Share -> IO Position
positionOf (Share _ ws) = do
  now <- readByteArray ws nextWord
  seen <- readByteArray ws seenWord
  writeByteArray ws seenWord now
  pure $! if seen == (-1 :: Int) then FirstLook else if now == seen then Unchanged else Changed

-- | A number, twice as large at each call, from 1 after 'single'. Called by the watching thread only.
doubled :: Share -> IO Int
doubled (Share _ ws) = do
  n <- readByteArray ws manyWord
  n <$ writeByteArray ws manyWord (min 1048576 (2 * n))

single :: Share -> IO ()
single (Share _ ws) = writeByteArray ws manyWord (1 :: Int)

-- | What has become of a share that the calling thread wanted. In the order of what @ghcomp_loop_take_share@ returns.
data Taken
  = Taken        -- ^ It belongs to the calling thread, which is inside.
  | NothingLeft
  | HolderRuns   -- ^ Its holder goes on.
  | Elsewhere    -- ^ Its holder belongs to another Capability.
  deriving (Eq, Enum)

-- | @takeShare holder old own@ takes the share @old@ of a thread that is blocked, as @own@.
takeShare :: ThreadId -> Share -> Share -> IO Taken
takeShare (ThreadId holder) (Share worker (MutableByteArray old)) (Share _ (MutableByteArray own)) =
  toEnum . fromIntegral <$> c_take_share worker holder old own

-- | The same of any thread in a body of 'drawActions', also one that runs on another Capability.
takeAction :: Share -> Share -> IO Taken
takeAction (Share worker (MutableByteArray old)) (Share _ (MutableByteArray own)) =
  toEnum . fromIntegral <$> c_take_action worker old own

sameShare :: Share -> Share -> Bool
sameShare (Share _ a) (Share _ b) = sameMutableByteArray a b

-- | Another number for each body of a share.
bodyOf :: Share -> IO Int
bodyOf (Share _ ws) = readByteArray ws nextWord

-- ---------------------------------------------------------------------------------- drawing

-- | Draws chunks until there are none, and runs @chunk first end@ for iterations @first … end-1@,
-- counted from 0. Between chunks the Haskell thread gives way if the runtime system wants its
-- Capability ('giveWay'). So a loop that does not allocate delays neither a collection nor an
-- exception.
drawChunks :: (Int -> Int -> IO ()) -> Share -> IO ()
drawChunks chunk share@(Share _ ws) = drawWith share $ \first end -> do
  writeByteArray ws endWord end
  writeByteArray ws nextWord end -- a stand-in has to leave the chunk to this thread
  chunk first end
{-# INLINE drawChunks #-}

-- | The same, by single iterations: a stand-in takes those that have not begun.
drawIterations :: (Int -> IO ()) -> Share -> IO ()
drawIterations body = \share@(Share _ ws) ->
  let go !i = do
        end <- readByteArray ws endWord
        unless (i >= end) $ do
          writeByteArray ws nextWord (i + 1)
          body i
          go (i + 1)
  in do
    left <- readByteArray ws nextWord -- by whom this thread stands in for
    go left
    drawWith share (\first end -> writeByteArray ws endWord end >> go first)
{-# INLINE drawIterations #-}

-- | The same for bodies that are promised a thread each: others may take the share whatever this thread does.
drawActions :: (Int -> IO ()) -> Share -> IO ()
drawActions body (Share worker (MutableByteArray ws)) = c_begin_actions ws >> next
  where
    next = do
      i <- fromIntegral <$> c_next_action worker ws
      if i >= 0 then body i >> next else when (i == mustGiveWay) (giveWay >> next)
{-# INLINE drawActions #-}

drawWith :: Share -> (Int -> Int -> IO ()) -> IO ()
drawWith share@(Share worker _) execute = next
  where
    next = isHeld share >>= \mine -> if mine then draw else pure ()
    draw = do
      first <- fromIntegral <$> c_next worker
      if first >= 0
        then peekByteOff worker 0 >>= execute first >> next
        else if first == done then endShare share else when (first == mustGiveWay) (giveWay >> draw)
    -- Or the caller was alone, and keeps its share until it has let others enter.
{-# INLINE drawWith #-}

done, mustGiveWay :: Int
done = -1
mustGiveWay = -2

-- | Goes to the scheduler and back, by an allocation, which finds that the heap limit was cleared.
-- 'Control.Concurrent.yield' would not do, because it gives the rest of the time slice to others: a
-- loop that did so at every collection would starve beside threads that allocate.
giveWay :: IO ()
giveWay = newIORef () >>= \ref -> readIORef ref
{-# NOINLINE giveWay #-}

-- | No further chunk is handed out, to no thread of the loop. The bodies that have begun go on.
cancel :: Share -> IO ()
cancel (Share worker _) = c_cancel worker

-- | True: no further chunk is handed out, and the result of this one is not needed.
isCancelled :: Share -> IO Bool
isCancelled (Share worker _) = (/= 0) <$> c_is_cancelled worker

-- | The number of the chunk that was drawn last, from 0. Chunks with smaller numbers
-- have smaller iterations. Called before the chunk is executed: afterwards the worker may belong to another thread.
chunkNumber :: Share -> IO Int
chunkNumber (Share worker _) = fromIntegral <$> (peekByteOff worker 8 :: IO Int64)
{-# INLINE chunkNumber #-}
