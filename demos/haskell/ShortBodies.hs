-- | Short bodies: by @base@, by the packages @parallel@ and @async@, and by this package, with one Capability and with all.
-- Pairs of pure values and of actions (Fibonacci numbers), traversals, tasks that are waited for, and calls of two actions.
-- All ways of a row compute the same value.
module Main (main) where

import Control.Concurrent (getNumCapabilities, runInUnboundThread, setNumCapabilities)
import qualified Control.Concurrent.Async as Async
import qualified Control.Concurrent.OpenMP as Pool
import Control.Exception (evaluate)
import Control.Monad (forM_, void)
import Control.Parallel.OpenMP (parallelEval, parallelMapM, parallelPair)
import Control.Parallel.OpenMP.Task (spawn, wait, withTasks)
import Control.Parallel.Strategies (parMap, rpar, rseq, runEval)
import Data.IORef (newIORef, readIORef)
import Demo
import GHC.OpenMP.Task (both, taskGroup)

-- | Another package's way and ours, or several of each, each with the number that it must give. What they compute with comes
-- from a cell: else the compiler would compute a pure value once for all runs.
row :: String -> Int -> Int -> [(String, Int -> IO Int)] -> String -> IO ()
row name runs input ways capabilities = do
  cell <- newIORef input
  expected <- snd (head ways) input
  times <- inTurn runs
    [ Timed (name ++ ", " ++ by ++ ", " ++ capabilities) 1 (readIORef cell >>= way >>= check (name ++ ", " ++ by) . (== expected))
    | (by, way) <- ways ]
  table [(name ++ ", us") : map fst ways, capabilities : map micro times]

plainFib :: Int -> Int
plainFib n = if n < 2 then n else plainFib (n - 1) + plainFib (n - 2)
{-# NOINLINE plainFib #-}

sparkFib :: Int -> Int
sparkFib n
  | n < 2 = n
  | otherwise = runEval (do { b <- rpar (sparkFib (n - 2)); a <- rseq (sparkFib (n - 1)); (a +) <$> rseq b })

pairFib :: Int -> Int
pairFib n = if n < 2 then n else uncurry (+) (parallelPair (pairFib (n - 1)) (pairFib (n - 2)))

-- | Divide and conquer by a function that executes two actions.
fibBy :: (IO Int -> IO Int -> IO (Int, Int)) -> Int -> IO Int
fibBy pair = go
  where go n = if n < 2 then pure n else uncurry (+) <$> pair (go (n - 1)) (go (n - 2))
{-# INLINE fibBy #-}

-- | The second call is a task, or both are.
oneTask, twoTasks :: (IO Int -> IO t) -> (t -> IO Int) -> Int -> IO Int
oneTask start await = go
  where go n = if n < 2 then pure n else do { b <- start (go (n - 2)); a <- go (n - 1); (a +) <$> await b }
{-# INLINE oneTask #-}
twoTasks start await = go
  where go n = if n < 2 then pure n else do { b <- start (go (n - 2)); a <- start (go (n - 1)); (+) <$> await a <*> await b }
{-# INLINE twoTasks #-}

-- | Some 50 ns.
body :: Int -> Int
body n = go n (60 :: Int)
  where go a k = if k == 0 then a else go (a * 3 + k) (k - 1)
{-# NOINLINE body #-}

-- | The elements from 1 to the input, by a traversal.
each :: ((Int -> IO Int) -> [Int] -> IO [Int]) -> Int -> IO Int
each traversal n = sum <$> traversal (evaluate . body) [1 .. n]
{-# INLINE each #-}

rows :: [String -> IO ()]
rows =
  [ row "fib 18 by pure pairs" 41 18
      [ ("one call", evaluate . plainFib), ("rpar", evaluate . sparkFib), ("parallelPair", evaluate . pairFib) ]
  , row "fib 18 by pairs of actions" 11 18
      [ ("async", fibBy Async.concurrently), ("both", \n -> taskGroup (\g -> fibBy (both g) n)), ("concurrently", fibBy Pool.concurrently) ]
  , row "fib 14, one call a task" 31 14
      [ ("async", oneTask Async.async Async.wait), ("spawn", \n -> withTasks (\g -> oneTask (spawn g) wait n)) ]
  , row "fib 14, both calls tasks" 31 14
      [ ("async", twoTasks Async.async Async.wait), ("spawn", \n -> withTasks (\g -> twoTasks (spawn g) wait n)) ]
  , row "a thousand bodies of 50 ns" 101 1000
      [ ("mapM", each mapM), ("parMap", \n -> evaluate (sum (parMap rseq body [1 .. n])))
      , ("parallelEval", \n -> evaluate (sum (parallelEval (`seq` ()) (map body [1 .. n])))), ("parallelMapM", each parallelMapM) ]
  , row "a thousand bodies, a thread each" 31 1000
      [ ("async", each Async.mapConcurrently), ("mapConcurrently", each Pool.mapConcurrently) ]
  , row "a thousand calls of two actions" 31 1000
      [ ("async", runInUnboundThread . calls Async.concurrently), ("concurrently", runInUnboundThread . calls Pool.concurrently) ]
  , row "a thousand races of two actions" 31 1000
      [ ("async", runInUnboundThread . races Async.race), ("race", runInUnboundThread . races Pool.race) ]
  , row "a thousand calls of five actions" 31 1000
      [ ("async", runInUnboundThread . fives Async.mapConcurrently), ("mapConcurrently", runInUnboundThread . fives Pool.mapConcurrently) ]
  , row "a hundred calls of two actions, main thread" 101 100 -- which is bound: the system changes threads twice for each
      [ ("async", calls Async.concurrently), ("concurrently", calls Pool.concurrently) ]
  ]
  where
    fives traversal n = n <$ forM_ [1 .. n] (\i -> each traversal 5 >>= check "five actions" . (== sum (map body [1 .. 5])) >> evaluate i)
    calls pair n = n <$ forM_ [1 .. n] (\i -> void (pair (evaluate (body i)) (evaluate (body (i + 1)))))
    races against n = n <$ forM_ [1 .. n] (\i -> void (against (evaluate (body i)) (evaluate (body (i + 1)))))

main :: IO ()
main = do
  all' <- getNumCapabilities
  forM_ [1, all'] $ \n -> do
    setNumCapabilities n
    forM_ rows ($ ("-N" ++ show n))
