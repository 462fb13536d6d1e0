-- Tries: creates an array of allocIO beside an array of alloc.
-- expect: Effects
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE RankNTypes #-}
module Program where

import Data.Array.Linear
import Prelude hiding (length, read)

program :: Int
program = unur (alloc 2 (\array token -> fill array (0 :: Int) token & beside (allocIO 4 :: Make) (\_ t s -> (done 0 t, s)) & \case
  (Ur x, end) -> end & done x))

type Make = (forall x. Array (InIO x) Int -> RW (InIO x) %1 -> Ur Int) %1 -> IO Int
