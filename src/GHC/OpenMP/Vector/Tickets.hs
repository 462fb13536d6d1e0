{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}

-- | Numbers from 0 on, each for one caller.
module GHC.OpenMP.Vector.Tickets
  ( Tickets
  , newTickets
  , nextTicket
  ) where

import Data.Primitive.ByteArray (MutableByteArray (..), newByteArray, writeByteArray)
import GHC.Exts (Int (..), RealWorld, fetchAddIntArray#)
import GHC.IO (IO (..))

newtype Tickets = Tickets (MutableByteArray RealWorld)

newTickets :: IO Tickets
newTickets = do
  next <- newByteArray 8
  writeByteArray next 0 (0 :: Int)
  pure (Tickets next)

nextTicket :: Tickets -> IO Int
nextTicket (Tickets (MutableByteArray next)) =
  IO $ \s -> case fetchAddIntArray# next 0# 1# s of (# s', number #) -> (# s', I# number #)
{-# INLINE nextTicket #-}
