-- | The parallel 'mapM', 'Control.Monad.forM' and 'mapM_': an action for each element of a list, a @Map@, or
-- any other 'Traversable', with the results in the places of the elements, or without results.
--
-- A loop of "GHC.OpenMP.Loop" executes the actions, so the rules there for exceptions, @timeout@,
-- the masking state and free Capabilities hold here, too. Results are not evaluated: an action that
-- should compute a value, and not only describe it, ends with 'Control.Exception.evaluate' or '$!'.
--
-- Unlike @mapConcurrently@ of the package @async@, this does not start a thread for each element: a
-- thousand actions run on as many threads as there are free Capabilities. Actions may wait for each other: if all that have
-- begun wait, others begin, some milliseconds later ("GHC.OpenMP.Loop").
--
-- Cost, with results: in addition to the loop, two walks over the structure and an array. That is about 0.5 µs
-- for ten elements, and 10 to 30 ns an element for a thousand, less for a list. From about ten thousand elements on the
-- garbage collector has to look at the arrays, and an element costs up to a microsecond. So an
-- action should take some microseconds; for shorter ones there is "GHC.OpenMP.Vector".
module GHC.OpenMP.Traverse
  ( -- * With results
    parallelMapM
  , parallelForM
  , parallelReplicateM
    -- * Without results
  , parallelMapM_
  , parallelForM_
  , parallelReplicateM_
    -- * With a schedule
  , parallelMapMWith
  , parallelForMWith
  ) where

import Control.Monad (void)
import GHC.OpenMP.Loop (parallelFor, parallelForWith)
import GHC.OpenMP.Loop.Elements
import GHC.OpenMP.Loop.Stream
import GHC.OpenMP.Schedule

-- $setup
-- >>> import Control.Exception
-- >>> import Data.IORef
-- >>> import GHC.OpenMP.Schedule

-- | @parallelMapM f xs@ is @'mapM' f xs@ with the actions in any order and in parallel. The results
-- are in the order of @xs@.
--
-- >>> parallelMapM (\n -> evaluate (product [1 .. n])) [3, 10, 20 :: Integer]
-- [6,3628800,2432902008176640000]
--
-- >>> try (parallelMapM (\n -> evaluate (100 `div` n)) [5, 0, 2]) :: IO (Either ArithException [Int])
-- Left divide by zero
--
-- @since 0.2.0
parallelMapM :: Traversable t => (a -> IO b) -> t a -> IO (t b)
parallelMapM = parallelMapMWith Auto
{-# INLINE parallelMapM #-}

-- | 'parallelMapM' with its arguments in the other order, for a long function.
--
-- >>> parallelForM (Just 4) (\n -> pure (n * n))
-- Just 16
--
-- @since 0.2.0
parallelForM :: Traversable t => t a -> (a -> IO b) -> IO (t b)
parallelForM = flip parallelMapM
{-# INLINE parallelForM #-}

-- | So many times the same action, and the results. None if the number is not above 0.
--
-- >>> parallelReplicateM 3 (pure 'a')
-- "aaa"
--
-- @since 0.2.0
parallelReplicateM :: Int -> IO a -> IO [a]
parallelReplicateM n action = parallelMapM (const action) [1 .. n]
{-# INLINE parallelReplicateM #-}

-- | @parallelMapM_ f xs@ is @'mapM_' f xs@ with the actions in parallel. They begin in the order of the elements. The structure is
-- walked while they run: a thread looks for the next element when it has nothing else to do, and what they have done with is not kept.
-- So it may be long, or endless, or come from a file ('System.IO.getContents'). Cost: 10 to 20 ns for each element, and no array. Workers
-- are called at once, because nobody knows how many elements there are; that takes up to a few microseconds.
--
-- >>> done <- newIORef (0 :: Int)
-- >>> parallelMapM_ (\n -> atomicModifyIORef' done (\k -> (k + n, ()))) [1 .. 100]
-- >>> readIORef done
-- 5050
--
-- >>> try (parallelMapM_ (\n -> if n > 1000 then throwIO Overflow else pure ()) [1 :: Int ..]) :: IO (Either ArithException ())
-- Left arithmetic overflow
--
-- @since 0.2.0
parallelMapM_ :: Foldable t => (a -> IO b) -> t a -> IO ()
parallelMapM_ = executeStream
{-# INLINE parallelMapM_ #-}

-- | 'parallelMapM_' with its arguments in the other order.
--
-- >>> parallelForM_ (Just "abc") (evaluate . length)
--
-- @since 0.2.0
parallelForM_ :: Foldable t => t a -> (a -> IO b) -> IO ()
parallelForM_ = flip parallelMapM_
{-# INLINE parallelForM_ #-}

-- | So many times the same action.
--
-- @since 0.2.0
parallelReplicateM_ :: Int -> IO a -> IO ()
parallelReplicateM_ n action = parallelFor 0 n (\_ -> void action)
{-# INLINE parallelReplicateM_ #-}

-- | 'parallelMapM' with a schedule: use @'Dynamic' 1@ if each action takes long, and some take much
-- longer than others.
--
-- >>> parallelMapMWith (Dynamic 1) (pure . length) [[1, 2], [], [3]]
-- [2,0,1]
--
-- @since 0.2.0
parallelMapMWith :: Traversable t => Schedule -> (a -> IO b) -> t a -> IO (t b)
parallelMapMWith schedule = traverseIn (parallelForWith schedule 0)
{-# INLINE parallelMapMWith #-}

-- | 'parallelForM' with a schedule.
--
-- @since 0.2.0
parallelForMWith :: Traversable t => Schedule -> t a -> (a -> IO b) -> IO (t b)
parallelForMWith schedule = flip (parallelMapMWith schedule)
{-# INLINE parallelForMWith #-}
