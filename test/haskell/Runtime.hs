-- | Tests of the border to OpenMP C code, one after the other: where regions run, settings, callbacks.
module Main (main) where

import qualified Properties.Batch
import qualified Properties.Callback
import qualified Properties.Prim
import qualified Properties.Regions
import qualified Properties.Settings
import System.Environment (setEnv)
import Test.Tasty

main :: IO ()
main = setEnv "TASTY_NUM_THREADS" "1" >> defaultMain (testGroup "runtime"
  [ Properties.Settings.tests
  , Properties.Regions.tests
  , Properties.Callback.tests
  , Properties.Batch.tests
  , Properties.Prim.tests
  ])
