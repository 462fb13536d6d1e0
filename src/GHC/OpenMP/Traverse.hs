-- | The parallel 'mapM' and 'Control.Monad.forM': an action for each element of a list, a @Map@, or
-- any other 'Traversable', with the results in the places of the elements.
--
-- A loop of "GHC.OpenMP.Loop" executes the actions, so the rules there for exceptions, @timeout@,
-- the masking state and free Capabilities hold here, too. Results are not evaluated: an action that
-- should compute a value, and not only describe it, ends with 'Control.Exception.evaluate' or '$!'.
--
-- Unlike @mapConcurrently@ of the package @async@, this does not start a thread for each element: a
-- thousand actions run on as many threads as there are free Capabilities. Actions may wait for each other: if all that have
-- begun wait, others begin, some milliseconds later ("GHC.OpenMP.Loop").
--
-- Cost: in addition to the loop, two walks over the structure and two arrays. That is about 0.7 µs
-- for ten elements, and 40 ns an element for a thousand. From about ten thousand elements on the
-- garbage collector has to look at the arrays, and an element costs up to a microsecond. So an
-- action should take some microseconds; for shorter ones there is "GHC.OpenMP.Vector".
module GHC.OpenMP.Traverse
  ( parallelMapM
  , parallelForM
    -- * With a schedule
  , parallelMapMWith
  , parallelForMWith
  ) where

import GHC.OpenMP.Loop (parallelForWith)
import GHC.OpenMP.Loop.Elements
import GHC.OpenMP.Schedule

-- $setup
-- >>> import Control.Exception
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

-- | 'parallelMapM' with a schedule: use @'Dynamic' 1@ if each action takes long, and some take much
-- longer than others.
--
-- >>> parallelMapMWith (Dynamic 1) (pure . length) [[1, 2], [], [3]]
-- [2,0,1]
--
-- @since 0.2.0
parallelMapMWith :: Traversable t => Schedule -> (a -> IO b) -> t a -> IO (t b)
parallelMapMWith schedule = traverseIn (parallelForWith schedule 0)
{-# INLINABLE parallelMapMWith #-}

-- | 'parallelForM' with a schedule.
--
-- @since 0.2.0
parallelForMWith :: Traversable t => Schedule -> t a -> (a -> IO b) -> IO (t b)
parallelForMWith schedule = flip (parallelMapMWith schedule)
{-# INLINE parallelForMWith #-}
