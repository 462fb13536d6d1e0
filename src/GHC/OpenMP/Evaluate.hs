{-# LANGUAGE BangPatterns #-}

-- | Pure values, evaluated in parallel: what the package @parallel@ has strategies for.
--
-- How far a value is evaluated is the caller's choice, by a function to @()@: @rnf@ of the package @deepseq@, or @(\`seq\` ())@ for weak
-- head normal form.
module GHC.OpenMP.Evaluate
  ( parallelEval
  , parallelEvalWith
  , parallelPair
  ) where

import Control.Exception (evaluate)
import Data.Foldable (toList)
import Data.Primitive.Array (arrayFromList, indexArray, sizeofArray)
import GHC.Conc (par, pseq)
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Schedule

-- $setup
-- >>> import qualified Data.Map as Map

-- | @parallelEval force xs@ is @xs@, with @force x@ evaluated for each element, in any order and in parallel, before the structure can be
-- used. A loop of "GHC.OpenMP.Loop" does it. If @force@ of an element fails, so does the whole value. Cost: in addition to the loop, a
-- walk over the structure and an array of its elements, some 40 ns an element.
--
-- >>> sum (map length (parallelEval (\s -> length s `seq` ()) (map show [1 .. 100 :: Int])))
-- 192
--
-- >>> parallelEval (`seq` ()) (Map.fromList [(n, n * n) | n <- [1 .. 3 :: Int]])
-- fromList [(1,1),(2,4),(3,9)]
--
-- @since 0.2.0
parallelEval :: Foldable t => (a -> ()) -> t a -> t a
parallelEval = parallelEvalWith Auto
{-# INLINABLE parallelEval #-}

-- | 'parallelEval' with a schedule: use @'Dynamic' 1@ if elements take long, and some take much longer than others.
--
-- @since 0.2.0
parallelEvalWith :: Foldable t => Schedule -> (a -> ()) -> t a -> t a
parallelEvalWith schedule force xs
  | count == 0 = xs
  | otherwise = pureLoop (execute (shapeOf schedule 0 count) (\_ _ -> pure (ofValue (drawIterations every), ()))) `seq` xs
  where
    every i = evaluate (force (indexArray elements i))
    !elements = arrayFromList (toList xs) -- here, so that an exception of the structure is the value's
    !count = sizeofArray elements
{-# INLINABLE parallelEvalWith #-}

-- | Two values as a pair, for divide and conquer without 'IO'. Whoever needs the pair evaluates the first one, and then the second one,
-- unless another thread has done so meanwhile, both to weak head normal form.
--
-- >>> let fib n = if n < 2 then n else uncurry (+) (parallelPair (fib (n - 1)) (fib (n - 2)))
-- >>> fib (20 :: Int)
-- 6765
--
-- The second one is a spark of GHC's, as of 'par': a result has no cell, and there is no group, so nothing is cheaper. Capabilities
-- that have nothing else to do evaluate sparks, between the loops that they help with. An idle one may notice a spark only after some
-- milliseconds if the first value is computed without allocation. Cost: some 10 ns.
--
-- @since 0.2.0
parallelPair :: a -> b -> (a, b)
parallelPair a b = b `par` (a `pseq` (b `pseq` (a, b)))
{-# INLINE parallelPair #-}
