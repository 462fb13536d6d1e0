-- | One Haskell thread starts short regions, at first alone.  Then another one of the same Capability computes.  When a region
-- ends, the RTS has just woken an OS thread for the other one.  The runtime sees that, and the other thread gets on.  On one
-- processor it gets on by itself while the region's threads wait for each other, and no room has to be made.
module Main (main) where

import Control.Concurrent
import Control.Monad
import Data.IORef
import Foreign.C.Types
import GHC.Conc (getNumProcessors)

foreign import ccall safe "work_team" workTeam :: CInt -> IO CInt
foreign import ccall unsafe "work_room_made" workRoomMade :: IO CLong

main :: IO ()
main = do
  _ <- regionsUntil 100 (pure False)
  before <- workRoomMade
  _ <- regionsUntil 20000 (pure False)
  alone <- subtract before <$> workRoomMade -- the RTS has threads of its own, which run now and then
  putStrLn ("hardly ever for nobody " ++ show (alone < 10))
  units <- newIORef (0 :: Int)
  _ <- forkIO (forever (unit units))
  let isMade = (> before + alone) <$> workRoomMade
  one <- (== 1) <$> getNumProcessors
  _ <- regionsUntil 1000000 (if one then (> 5000) <$> readIORef units else isMade)
  made <- isMade
  atStart <- readIORef units
  _ <- regionsUntil 1000000 ((> atStart + 10) <$> readIORef units)
  getsOn <- (> atStart + 10) <$> readIORef units
  putStrLn ("room was made " ++ show (made || one))
  putStrLn ("the other thread gets on " ++ show getsOn)

-- | Computes and allocates.
unit :: IORef Int -> IO ()
unit units = do
  n <- readIORef units
  let total = sum (map (`rem` 7) [n .. n + 1000])
  writeIORef units $! if total >= 0 then n + 1 else n

-- | Regions until the condition is met; at most so many.
regionsUntil :: Int -> IO Bool -> IO Bool
regionsUntil 0 condition = condition
regionsUntil n condition = do
  _ <- workTeam 2
  met <- condition
  if met then pure True else regionsUntil (n - 1) condition
