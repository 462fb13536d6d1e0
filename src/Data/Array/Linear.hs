{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | Arrays that Haskell and C write in place. The type checker proves that two sides never touch
-- the same memory at the same time.
--
-- An array comes with a /token/. Reading and writing need the token and give it back. The token is
-- linear, so there is exactly one at any time. 'split' takes the token of the whole array and gives
-- one for each half. Code with the token of one half cannot reach the other half, and no code can
-- reach the whole array before 'combine'.
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
-- Arguments come in two orders, as in @base@ and @vector@. Operations on single elements take the
-- array first, as 'Data.IORef.writeIORef' does: @write array i x@. Operations with a function take
-- the function first and the array last, as 'map' does: @parMap f array@. The token is always the
-- last argument. A result is @(Ur x, token)@: a value that may be used any number of times, and a
-- token.
--
-- Import 'length' and 'read' with a qualifier, or in place of those of "Prelude".
--
-- Function clauses, and @\\case@ after '&', work with every GHC from 9.0 on. GHC 9.0 to 9.6 do not
-- accept @case@ and @let@ as linear.
--
-- Arrays of 'alloc' are for pure code. Arrays of 'allocIO' are for 'IO': C code may work on an
-- array or a part of one ('callC'), or on two ('callC2'). A C call takes place after the reads and
-- writes before it, and before those after it.
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

-- | A mutable storable vector as an array, without a copy. No other code may use it meanwhile.
--
-- @since 0.1.0
withVector
  :: (Prim a, Storable a)
  => Storable.MVector RealWorld a -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) %1 -> IO b
withVector vector = once (\use -> withForeignPtr memory (\pointer -> withPtr pointer count use))
  where (memory, count) = Storable.unsafeToForeignPtr0 vector
{-# INLINE withVector #-}

-- | A pinned mutable byte array as an array, without a copy. Bytes at the end that do not make up
-- an element are left out. No other code may use it meanwhile. An 'ArrayException' if it is not
-- pinned.
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

-- | Runs an action with an object that must not be collected before the action ends. A @touch@
-- after the action is not enough: if the action always ends by an exception, the compiler removes
-- the code after it.
keeping :: k -> IO r -> IO r
keeping kept action = IO (\s -> keepAlive# kept s (unIO action))
{-# INLINE keeping #-}
