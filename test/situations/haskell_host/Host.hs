-- | A Haskell program whose C library starts OpenMP regions.  Prints which substrate
-- served them; standard output stays buffered until the program ends.
module Main (main) where

import Control.Concurrent
import Control.Monad
import Foreign.C.String
import Foreign.C.Types
import System.Exit
import System.IO

foreign import ccall safe "work_team" workTeam :: CInt -> IO CInt
foreign import ccall safe "work_is_as_told" workIsAsTold :: IO CInt
foreign import ccall safe "work_team_in_child" workTeamInChild :: CInt -> IO CInt
foreign import ccall safe "work_named_workers" workNamedWorkers :: CInt -> IO CInt
foreign import ccall safe "work_substrate" workSubstrate :: IO CString
foreign import ccall safe "work_describe" workDescribe :: IO CString
foreign import ccall safe "work_has_second_rts" workHasSecondRts :: IO CInt

main :: IO ()
main = do
  hSetBuffering stdout (BlockBuffering Nothing)
  capabilities <- getNumCapabilities
  putStrLn ("capabilities " ++ show capabilities)
  workTeam 0 >>= \n -> putStrLn ("default team " ++ show n)
  workIsAsTold >>= \n -> putStrLn ("as told " ++ show n)
  workTeam 3 >>= \n -> putStrLn ("team " ++ show n)
  fromMany
  workNamedWorkers 3 >>= \n -> putStrLn ("named workers " ++ show n)
  workSubstrate >>= peekCString >>= \s -> putStrLn ("substrate " ++ s)
  workDescribe >>= peekCString >>= \s -> putStrLn ("describe " ++ s)
  workHasSecondRts >>= \n -> putStrLn ("second rts " ++ show n)
  workTeamInChild 3 >>= \n -> putStrLn ("team in child " ++ show n)
  putStr "the end, without a newline"
  exitWith (ExitFailure 3)

-- | Several Haskell threads start regions while another one computes.
fromMany :: IO ()
fromMany = do
  answers <- forM [1 .. 8 :: Int] $ \_ -> do
    answer <- newEmptyMVar
    _ <- forkIO (replicateM 20 (workTeam 2) >>= putMVar answer)
    pure answer
  let total = sum [1 .. 200000 :: Integer]
  teams <- concat <$> mapM takeMVar answers
  putStrLn ("many " ++ show (total == 20000100000 && all (== 2) teams))
