-- | A program that ends while loops and tasks run: with its own status, and nothing on standard error.
-- And one whose environment asks for bound threads.
module Properties.End (tests, endings) where

import Control.Concurrent
import Control.Monad
import Data.List (isPrefixOf)
import Foreign.C.Types (CInt (..))
import GHC.Conc (getNumProcessors)
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
  , ("--bound", bound)
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

foreign import ccall safe "regions_team_size" c_team_size :: IO CInt

-- | What the RTS saw of the machine, and whether this thread may still run everywhere after regions.
bound :: IO ()
bound = do
  processors <- getNumProcessors
  before <- allowed
  _ <- c_team_size
  replicateM_ 20 (parallelForWith (Dynamic 1) 0 20 (\_ -> yield))
  later <- allowed
  print (processors, before == later)
  where allowed = filter ("Cpus_allowed:" `isPrefixOf`) . lines <$> readFile "/proc/self/status"

tests :: TestTree
tests = testGroup "end of the program"
  [ ending "main returns while loops run" "--end-in-a-loop" ExitSuccess
  , ending "exitWith while loops run" "--exit-in-a-loop" (ExitFailure 7)
  , ending "main returns while tasks run" "--end-in-tasks" ExitSuccess
  , testCase "OMP_PROC_BIND leaves the RTS's threads alone" $ do
      self <- getExecutablePath
      processors <- getNumProcessors
      (_, out, _) <- readProcessWithExitCode "env" ["OMP_PROC_BIND=true", "OMP_PLACES=threads", self, "--bound"] ""
      out @?= show (processors, True) ++ "\n"
  ]

ending :: String -> String -> ExitCode -> TestTree
ending name argument status = testCase name $ do
  self <- getExecutablePath
  replicateM_ 5 $ readProcessWithExitCode self [argument] "" >>= (@?= (status, "buffered\n", ""))
