-- | Tests of the border to OpenMP code in C, one after the other: where regions run, settings, callbacks.
module Main (main) where

import qualified Properties.Batch
import qualified Properties.Callback
import qualified Properties.End
import qualified Properties.Interrupts
import qualified Properties.Regions
import qualified Properties.Settings
import System.Environment (getArgs, setEnv)
import Test.Tasty

main :: IO ()
main = getArgs >>= \arguments -> case arguments of
  [argument] | Just end <- lookup argument Properties.End.endings -> end
  _ -> runTests

runTests :: IO ()
runTests = setEnv "TASTY_NUM_THREADS" "1" >> defaultMain (testGroup "runtime"
  [ Properties.Settings.tests
  , Properties.Regions.tests
  , Properties.Callback.tests
  , Properties.Batch.tests
  , Properties.Interrupts.tests
  , Properties.End.tests
  ])
