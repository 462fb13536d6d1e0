-- | One pool of threads for Haskell and OpenMP.
--
-- A program that depends on this package has one pool of worker threads, of the size of its own
-- @+RTS -N@: its OpenMP C code, the OpenMP inside its C libraries, and loops with Haskell bodies
-- share the workers, from any number of Haskell threads at once, and the garbage collector stops
-- none that runs C. Link with @-threaded@; import C functions that start regions @safe@.
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
-- Where to go on: loops in "GHC.OpenMP.Loop", reductions in "GHC.OpenMP.Reduce", vectors in
-- "GHC.OpenMP.Vector", C code that calls back in "GHC.OpenMP.Callback", team sizes and the like in
-- "GHC.OpenMP.Settings", what the process runs on in "GHC.OpenMP.Runtime".
module GHC.OpenMP
  ( module GHC.OpenMP.Loop
  , module GHC.OpenMP.Reduce
  , module GHC.OpenMP.Settings
  , module GHC.OpenMP.Runtime
  ) where

import GHC.OpenMP.Loop
import GHC.OpenMP.Reduce
import GHC.OpenMP.Runtime
import GHC.OpenMP.Settings
