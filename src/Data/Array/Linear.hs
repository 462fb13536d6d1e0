{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Arrays that are written in place, by Haskell and by C, where the type checker proves that two sides
-- never touch the same memory.
--
-- An array comes with a /token/. Reading and writing need the token and give it back; it is linear, so
-- there is one at any time. 'split' takes the token of the whole and gives one for each half; what has
-- only one half's token cannot reach the other half, and nobody can reach the whole before 'combine'.
--
-- > {-# LANGUAGE LinearTypes, LambdaCase #-}
-- > import Data.Array.Linear (Ur (..), alloc, done, fill, unur, write, (&))
-- > import qualified Data.Array.Linear as Linear
-- >
-- > seven :: Double
-- > seven = unur (alloc 10 (\array token ->
-- >   token & fill array 1
-- >         & write array 3 6
-- >         & Linear.read array 3 & \case
-- >   (Ur x, token') -> token' & Linear.read array 4 & \case
-- >     (Ur y, token'') -> token'' & done (x + y)))
--
-- Arguments come in two orders, as in @base@ and @vector@. What is done to elements at a place names the
-- array first, as 'Data.IORef.writeIORef' does: @write array i x@. What takes a function takes it first and
-- the array last, as 'map' does: @parMap f array@. The token is the last argument of all. A result is
-- @(Ur x, token)@: a value that may be used any number of times, and a token.
--
-- 'length' and 'read' are imported with a qualifier, or in place of those of "Prelude".
--
-- The styles that work with every GHC from 9.0 on are function clauses and @\\case@ behind '&':
-- GHC 9.0 to 9.6 take @case@ and @let@ as not linear.
--
-- Arrays of 'alloc' are for pure code. Those of 'allocIO' live in 'IO', and C code may work on one or a part
-- of one ('callC'), or on two ('callC2'), at its place among reads and writes.
module Data.Array.Linear
  ( -- * Tokens and arrays
    RW
  , Array
  , Ur (..)
  , unur
  , (&)
    -- * Making and ending
  , alloc
  , allocIO
  , withPtr
  , withVector
  , withByteArray
  , create
  , createStorable
  , createIO
  , createStorableIO
  , done
  , freeze
  , freezeStorable
  , evaluated
    -- * Elements
  , length
  , read
  , write
  , modify
  , fill
    -- * Parts
  , Slices (..)
  , Side (..)
  , Half
  , Part
  , split
  , halve
  , combine
  , parCombine
  , chunksOf
  , parChunksOf
    -- * All elements, in parallel
  , parGenerate
  , parMap
  , parMapInto
  , parFold
  , parFoldMap
    -- * C
  , InIO
  , Effects
  , callC
  , callC2
  , beside
  ) where

import Control.Exception (ArrayException (..), throwIO)
import Control.Monad.Primitive (RealWorld)
import Data.Array.Linear.Internal
import Data.Primitive.ByteArray
import Data.Primitive.Types (Prim, sizeOf)
import qualified Data.Vector.Storable.Mutable as Storable
import Data.Word (Word8)
import Foreign.ForeignPtr (withForeignPtr)
import Foreign.Ptr (Ptr, castPtr)
import Foreign.Storable (Storable)
import GHC.Exts (keepAlive#)
import GHC.IO (IO (..), unIO)
import Prelude hiding (length, read)

-- | The result itself.
--
-- @since 0.1.0
unur :: Ur a %1 -> a
unur (Ur x) = x
{-# INLINE unur #-}

-- | 'split' in the middle; the left half is the shorter one of an odd length.
--
-- @since 0.1.0
halve :: Prim a => Array s a -> RW s %1 -> Slices s a
halve array = split array (length array `quot` 2)
{-# INLINE halve #-}

-- | A mutable storable vector as an array, without a copy. Nobody else may touch it meanwhile.
--
-- @since 0.1.0
withVector
  :: (Prim a, Storable a)
  => Storable.MVector RealWorld a -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) %1 -> IO b
withVector vector = once (\use -> withForeignPtr memory (\pointer -> withPtr pointer count use))
  where (memory, count) = Storable.unsafeToForeignPtr0 vector
{-# INLINE withVector #-}

-- | A pinned mutable byte array as an array, without a copy; bytes that do not make up an element are
-- left out. Nobody else may touch it meanwhile. An 'ArrayException' when it is not pinned.
--
-- @since 0.1.0
withByteArray
  :: forall a b. Prim a
  => MutableByteArray RealWorld -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) %1 -> IO b
withByteArray bytes = once (\use -> if isMutableByteArrayPinned bytes
  then do
    size <- getSizeofMutableByteArray bytes
    keeping bytes (withPtr (castPtr (mutableByteArrayContents bytes :: Ptr Word8))
      (size `quot` max 1 (sizeOf (undefined :: a))) use)
  else throwIO (UndefinedElement
    "Data.Array.Linear.withByteArray: got an array that is not pinned, expected one that stays where it is (newPinnedByteArray)"))

-- | An action with something that must not be collected before it is over. A @touch@ after it would not
-- do: there is nothing after an action that ends by an exception only.
keeping :: k -> IO r -> IO r
keeping kept action = IO (\s -> keepAlive# kept s (unIO action))
{-# INLINE keeping #-}
