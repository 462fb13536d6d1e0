-- | Tests of linear arrays.
module Main (main) where

import qualified Inspection
import qualified Properties.Linear
import qualified Properties.Pure
import qualified Regressions
import System.Environment (setEnv)
import Test.Tasty

main :: IO ()
main = setEnv "TASTY_NUM_THREADS" "1" >> defaultMain (testGroup "linear"
  [ Properties.Linear.tests
  , Properties.Pure.tests
  , Regressions.tests
  , Inspection.tests
  ])
