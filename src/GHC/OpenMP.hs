-- | One pool of threads for Haskell and OpenMP.
--
-- A program that depends on this package has one pool of worker threads, of the size of its own
-- @+RTS -N@. Its OpenMP C code, the OpenMP inside its C libraries, and loops with Haskell bodies
-- share these workers, from any number of Haskell threads at once. Garbage collection does not stop
-- a worker that runs C code. Link with @-threaded@; import C functions that start regions @safe@.
--
-- > import GHC.OpenMP
-- >
-- > foreign import ccall safe "solve" c_solve :: Ptr Double -> CInt -> IO ()  -- has #pragma omp parallel
-- >
-- > main :: IO ()
-- > main = do
-- >   squares <- mallocArray 1000000
-- >   parallelFor 0 1000000 $ \i -> pokeElemOff squares i (fromIntegral i ^ 2)  -- Haskell
-- >   c_solve squares 1000000                                                    -- C, same threads
--
-- This module has the loops ("GHC.OpenMP.Loop"), the reductions ("GHC.OpenMP.Reduce"), the parallel 'mapM'
-- ("GHC.OpenMP.Traverse"), and pure values ("GHC.OpenMP.Evaluate"). "Control.Parallel.OpenMP" has these and the vectors.
-- Vectors are in "GHC.OpenMP.Vector", tasks in "GHC.OpenMP.Task", C code that calls back in "GHC.OpenMP.Callback".
--
-- == Names
--
-- * Every function that is exported here has a name that begins with @parallel@ or ends with @Range@,
--   so the module can be imported as a whole.
-- * Settings, such as team sizes, and facts about the process have short names, which are for a
--   qualifier:
--
-- > import qualified GHC.OpenMP.Runtime as Runtime    -- Runtime.version, Runtime.regions, Runtime.statistics
-- > import qualified GHC.OpenMP.Settings as Settings  -- Settings.maxThreads, Settings.withNumThreads
--
-- * Over a container the function comes first and the container last, as with 'map' and 'foldMap':
--   'parallelMapM', 'GHC.OpenMP.Vector.parallelMap', 'GHC.OpenMP.Vector.parallelFoldMap',
--   'Data.Array.Linear.parMap'. Over a range of numbers the range comes first and the body last, as with
--   'Control.Monad.forM_': 'parallelFor', 'parallelReduce', 'foldMapRange'. 'parallelForM' is a @forM@.
-- * The function that combines comes before the neutral element, as with 'foldr': @parallelFold (+)
--   0 v@.
-- * A function whose name ends with @With@ takes a 'Schedule' as its first argument.
module GHC.OpenMP
  ( module GHC.OpenMP.Evaluate
  , module GHC.OpenMP.Loop
  , module GHC.OpenMP.Reduce
  , module GHC.OpenMP.Traverse
  ) where

import GHC.OpenMP.Evaluate
import GHC.OpenMP.Loop
import GHC.OpenMP.Reduce
import GHC.OpenMP.Traverse
