-- | Tests of loops, reductions, vectors and traversals, one after the other. They must pass with any @+RTS -N@,
-- so each is run with several.
module Main (main) where

import qualified Properties.Blocked
import qualified Properties.Concurrent
import qualified Properties.Evaluate
import qualified Properties.Exceptions
import qualified Properties.FirstException
import qualified Properties.Loop
import qualified Properties.Pairs
import qualified Properties.Reduce
import qualified Properties.Scoped
import qualified Properties.Stress
import qualified Properties.Task
import qualified Properties.Traverse
import qualified Properties.Vector
import System.Environment (setEnv)
import Test.Tasty

main :: IO ()
main = setEnv "TASTY_NUM_THREADS" "1" >> defaultMain (testGroup "loops"
  [ Properties.Loop.tests
  , Properties.Exceptions.tests
  , Properties.Blocked.tests
  , Properties.Concurrent.tests
  , Properties.FirstException.tests
  , Properties.Reduce.tests
  , Properties.Vector.tests
  , Properties.Traverse.tests
  , Properties.Evaluate.tests
  , Properties.Task.tests
  , Properties.Pairs.tests
  , Properties.Scoped.tests
  , Properties.Stress.tests
  ])
