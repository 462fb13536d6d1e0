-- | A program that ends while loops and tasks run: with its own status, and nothing on standard error.
module Properties.End (tests, endings) where

import Control.Concurrent
import Control.Monad
import GHC.OpenMP.Loop
import GHC.OpenMP.Task
import System.Environment (getExecutablePath)
import System.Exit
import System.Process (readProcessWithExitCode)
import Test.Tasty
import Test.Tasty.HUnit

-- | What the program does when it is started with one of these as its argument.
endings :: [(String, IO ())]
endings =
  [ ("--end-in-a-loop", beside longLoop (pure ()))
  , ("--exit-in-a-loop", beside longLoop (exitWith (ExitFailure 7)))
  , ("--end-in-tasks", beside (forever (taskGroup (tree 8))) (pure ()))
  ]
  where
    longLoop = parallelFor 0 (2 ^ (40 :: Int)) (\_ -> pure ())
    tree :: Int -> TaskGroup -> IO ()
    tree 0 _ = pure ()
    tree n g = void (both g (tree (n - 1) g) (tree (n - 1) g))

-- | The second action ends the program when the first has been running for a while.
beside :: IO () -> IO () -> IO ()
beside work end = do
  putStrLn "buffered"
  begun <- newEmptyMVar
  replicateM_ 2 (forkIO (putMVar begun () >> work))
  replicateM_ 2 (takeMVar begun)
  replicateM_ 3 (parallelFor 0 100000 (\_ -> pure ()))
  end

tests :: TestTree
tests = testGroup "end of the program"
  [ ending "main returns while loops run" "--end-in-a-loop" ExitSuccess
  , ending "exitWith while loops run" "--exit-in-a-loop" (ExitFailure 7)
  , ending "main returns while tasks run" "--end-in-tasks" ExitSuccess
  ]

ending :: String -> String -> ExitCode -> TestTree
ending name argument status = testCase name $ do
  self <- getExecutablePath
  replicateM_ 5 $ readProcessWithExitCode self [argument] "" >>= (@?= (status, "buffered\n", ""))
