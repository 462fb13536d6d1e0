-- | Loops, reductions, traversals, pure values and vectors in parallel, on the pool that the program's OpenMP C code uses, too. One import
-- for all of them:
--
-- > import Control.Parallel.OpenMP
--
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
-- | You know                                      | Here                                                                        |
-- +===============================================+=============================================================================+
-- | 'mapM', 'Control.Monad.forM', 'mapM_',        | 'parallelMapM', 'parallelForM', 'parallelMapM_', 'parallelForM_',           |
-- | 'Control.Monad.replicateM'                    | 'parallelReplicateM', 'parallelReplicateM_'                                 |
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
-- | a @for@ loop over numbers                     | 'parallelFor', 'parallelForChunks'                                          |
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
-- | a sum, 'foldMap'                              | 'parallelReduce', 'reduceRange', 'foldMapRange', 'parallelFoldMap'          |
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
-- | @parMap@, @using@ of @parallel@               | 'parallelEval'; a pair: 'parallelPair'                                      |
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
-- | @map@, @generate@, … of @vector@              | 'parallelMap', 'parallelGenerate', …                                        |
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
-- | @concurrently@, @race@, … of @async@          | the same names in "Control.Concurrent.OpenMP"                               |
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
-- | @withAsync@, @wait@, @cancel@ of @async@      | @withTasks@, @spawn@, @wait@, @cancel@ in "Control.Parallel.OpenMP.Task"    |
-- +-----------------------------------------------+-----------------------------------------------------------------------------+
--
-- @since 0.2.0
module Control.Parallel.OpenMP
  ( module GHC.OpenMP
  , module GHC.OpenMP.Vector
  ) where

import GHC.OpenMP
import GHC.OpenMP.Vector
