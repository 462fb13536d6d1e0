-- | Two Haskell threads start regions, which exchange values inside: 2000 pairs of regions end, whatever their sizes.  Where
-- sizes are exact, both have all their threads; else what is free.
module Main (main) where

import Control.Concurrent
import Control.Exception (bracket)
import Control.Monad
import Data.IORef
import Foreign.C.Types
import Foreign.Ptr (FunPtr, freeHaskellFunPtr)

foreign import ccall safe "work_team_calling" workTeamCalling :: FunPtr (IO ()) -> IO CInt
foreign import ccall "wrapper" newInside :: IO () -> IO (FunPtr (IO ()))

main :: IO ()
main = do
  wrong <- newIORef (0 :: Int)
  boxes <- (,) <$> newEmptyMVar <*> newEmptyMVar
  sizes <- bracket (mapM (newInside . exchange wrong boxes) [True, False]) (mapM_ freeHaskellFunPtr) $ \calls ->
    replicateM 2000 (mapM inThread calls >>= mapM takeMVar)
  putStrLn ("both have all threads " ++ show (all ((== 4) . sum) sizes))
  putStrLn ("each has a thread " ++ show (all ((>= 2) . sum) sizes))
  putStrLn . ("values are right " ++) . show . (== 0) =<< readIORef wrong

-- | Ten values in both directions.
exchange :: IORef Int -> (MVar Int, MVar Int) -> Bool -> IO ()
exchange wrong (one, two) isFirst = forM_ [1 .. 10] $ \v -> do
  putMVar mine v
  got <- takeMVar theirs
  when (got /= v) (atomicModifyIORef' wrong (\n -> (n + 1, ())))
  where (mine, theirs) = if isFirst then (one, two) else (two, one)

inThread :: FunPtr (IO ()) -> IO (MVar CInt)
inThread call = do
  result <- newEmptyMVar
  _ <- forkIO (workTeamCalling call >>= putMVar result)
  pure result
