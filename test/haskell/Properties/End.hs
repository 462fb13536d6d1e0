-- | A program ends while loops and tasks run: with its own status and nothing on standard error, or by a signal
-- from outside, as Ctrl-C sends it.
-- Also a program whose environment asks for bound threads.
module Properties.End (tests, endings) where

import Control.Concurrent
import Control.Monad
import Data.IORef
import Data.List (isPrefixOf)
import Foreign.C.Types (CInt (..))
import GHC.Conc (getNumProcessors)
import GHC.OpenMP.Loop
import GHC.OpenMP.Task
import System.Environment (getExecutablePath)
import System.Exit
import System.IO (hFlush, hGetLine, stdout)
import System.Process
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit

-- | What the program does when its argument is one of these.
endings :: [(String, IO ())]
endings =
  [ ("--end-in-a-loop", beside longLoop (pure ()))
  , ("--exit-in-a-loop", beside longLoop (exitWith (ExitFailure 7)))
  , ("--end-in-tasks", beside (forever (taskGroup (tree 8))) (pure ()))
  , ("--wait-in-a-loop", together wait (parallelFor 0 4 . const))
  , ("--wait-in-tasks", together wait (\body -> taskGroup (\g -> replicateM_ 4 (spawn g body))))
  , ("--wait-after-a-loop", replicateM_ 20 (parallelForWith (Dynamic 1) 0 20 (const yield)) >> beginning >> wait)
  , ("--bound", bound)
  ]
  where
    beginning = putStrLn "waits" >> hFlush stdout
    wait = beginning >> threadDelay 1000000000
    longLoop = parallelFor 0 (2 ^ (40 :: Int)) (\_ -> pure ())
    tree :: Int -> TaskGroup -> IO ()
    tree 0 _ = pure ()
    tree n g = void (both g (tree (n - 1) g) (tree (n - 1) g))

-- | Repeats a loop until two of its bodies run at once, on two Capabilities; both then execute the action. A helper
-- comes only if a Capability is free at that moment, and with newer GHCs not all are free when the program begins.
together :: IO () -> (IO () -> IO ()) -> IO ()
together action execute = do
  wanted <- min 2 <$> getNumCapabilities
  inside <- newIORef (0 :: Int)
  let body = do
        atomicModifyIORef' inside (\n -> (n + 1, ()))
        met <- await (10000 :: Int)
        when met action
      await 0 = atomicModifyIORef' inside (\n -> if n >= wanted then (n, True) else (n - 1, False))
      await rounds = do
        n <- readIORef inside
        if n >= wanted then pure True else yield >> await (rounds - 1)
  forever (execute body)

-- | The second action ends the program after the first has run for a while.
beside :: IO () -> IO () -> IO ()
beside work end = do
  putStrLn "buffered"
  begun <- newEmptyMVar
  replicateM_ 2 (forkIO (putMVar begun () >> work))
  replicateM_ 2 (takeMVar begun)
  replicateM_ 3 (parallelFor 0 100000 (\_ -> pure ()))
  end

foreign import ccall safe "regions_team_size" c_team_size :: IO CInt

-- | The number of processors that the RTS found, and whether this thread may still run on all of them after regions.
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
  , interrupted "SIGINT while the bodies of a loop wait" "--wait-in-a-loop"
  , interrupted "SIGINT while tasks wait" "--wait-in-tasks"
  , interrupted "SIGINT after a loop that had helpers" "--wait-after-a-loop"
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

-- | The program prints a line when up to two of its threads wait; then one signal ends it.
interrupted :: String -> String -> TestTree
interrupted name argument = testCase name $ replicateM_ 3 $ do
  self <- getExecutablePath
  capabilities <- getNumCapabilities
  (_, out, _, process) <- createProcess (proc self [argument, "+RTS", "-N" ++ show capabilities])
    { std_out = CreatePipe, create_group = True }
  said <- timeout 10000000 (replicateM (min 2 capabilities) (mapM hGetLine out))
  interruptProcessGroupOf process
  status <- timeout 10000000 (waitForProcess process)
  when (status == Nothing) (terminateProcess process)
  (said, status) @?= (Just (replicate (min 2 capabilities) (Just "waits")), Just (ExitFailure (-2)))
