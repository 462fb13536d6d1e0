-- | The package @async@ on the pool: all that "Control.Concurrent.Async" exports, with the same types, so that a program changes one import.
--
-- > import Control.Concurrent.OpenMP.Async
--
-- * @concurrently@, @race@, @mapConcurrently@, @forConcurrently@, @replicateConcurrently@, their variants without results, and the functor
--   @Concurrently@ are those of "Control.Concurrent.OpenMP", whose page says what they cost and what differs: an action need not have a
--   thread of its own.
-- * Everything else is @async@'s own, from the version that is installed: a handle ('Async') is a thread of GHC's, which has a
--   'Control.Concurrent.ThreadId', and outlives a scope. Where a scope is wanted, tasks of "Control.Parallel.OpenMP.Task" are on the pool.
--
-- >>> withAsync (mapConcurrently (pure . (* 2)) [1 .. 3]) wait
-- [2,4,6]
--
-- @since 0.2.0
module Control.Concurrent.OpenMP.Async
  ( module Control.Concurrent.Async
  , module Control.Concurrent.OpenMP
  ) where

import Control.Concurrent.Async hiding
  ( Concurrently (..)
  , concurrently
  , concurrently_
  , forConcurrently
  , forConcurrently_
  , mapConcurrently
  , mapConcurrently_
  , race
  , race_
  , replicateConcurrently
  , replicateConcurrently_
  )
import Control.Concurrent.OpenMP
