-- | Two Haskell threads start regions, which exchange values inside.  The pool has one worker for two Capabilities, until the
-- runtime has found out that these regions block: then both have two threads at the same time.  When they exchange nothing any
-- more, they have what is free again.
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
  both <- pairsUntil 20000 (exchange wrong boxes) (== 4)
  putStrLn ("both have all threads " ++ show both)
  putStrLn . ("values are right " ++) . show . (== 0) =<< readIORef wrong
  fewer <- pairsUntil 20000 (\_ -> pure ()) (< 4)
  putStrLn ("later they have what is free " ++ show fewer)

-- | Ten values in both directions.
exchange :: IORef Int -> (MVar Int, MVar Int) -> Bool -> IO ()
exchange wrong (one, two) isFirst = forM_ [1 .. 10] $ \v -> do
  putMVar mine v
  got <- takeMVar theirs
  when (got /= v) (atomicModifyIORef' wrong (\n -> (n + 1, ())))
  where (mine, theirs) = if isFirst then (one, two) else (two, one)

-- | Regions of two threads at the same time, until the sum of their threads meets the condition several times; at most so many.
pairsUntil :: Int -> (Bool -> IO ()) -> (CInt -> Bool) -> IO Bool
pairsUntil most inside met = bracket (mapM (newInside . inside) [True, False]) (mapM_ freeHaskellFunPtr) $ \calls -> do
  let go 0 _ = pure False
      go _ 20 = pure True
      go n times = do
        sizes <- mapM inThread calls >>= mapM takeMVar
        go (n - 1 :: Int) (if met (sum sizes) then times + 1 else times :: Int)
  go most 0

inThread :: FunPtr (IO ()) -> IO (MVar CInt)
inThread call = do
  result <- newEmptyMVar
  _ <- forkIO (workTeamCalling call >>= putMVar result)
  pure result
