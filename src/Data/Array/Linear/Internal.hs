{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE ConstraintKinds #-}
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE GADTs #-}
{-# LANGUAGE KindSignatures #-}
{-# LANGUAGE LinearTypes #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE RoleAnnotations #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE StandaloneKindSignatures #-}
{-# LANGUAGE TypeFamilies #-}
{-# LANGUAGE UndecidableInstances #-}
{-# LANGUAGE UnboxedTuples #-}

-- | The core of "Data.Array.Linear". With its constructors a program can break the promises of the
-- public module. Users should import the other modules.
--
-- The promises rest on these points:
--
-- * The token /is/ the state thread: a 'RW' holds a @State# RealWorld@, so the order of reads, writes
--   and C calls is a data dependency, at every level of optimisation, and costs nothing.
-- * Only 'alloc' and its relatives make a token, once for each array. The token is linear: it is
--   neither copied nor dropped. Its index ties it to the array: @s@ is fresh in each 'alloc' (rank
--   2), and the two halves of a 'split' have indices that contain a fresh @x@.
-- * While an array is split there is no token for the whole. Only 'combine' makes one, from the
--   tokens of both halves of the same split.
-- * The function that makes an array for 'beside' uses its argument once ('once'), so it cannot run
--   it twice, or in two threads.
-- * Neither the index nor the element type can be coerced: their roles are nominal.
-- * Memory is accessed through its address, and every access touches the object that keeps the
--   memory alive.
module Data.Array.Linear.Internal
  ( -- * Types
    RW (..)
  , Array (..)
  , Ur (..)
  , Slices (..)
  , Side (..)
  , Half
  , Part
  , InIO
  , Effects
  , (&)
    -- * Making and ending
  , alloc
  , allocIO
  , withPtr
  , once
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
  , unsafeRead
  , unsafeWrite
    -- * Parts
  , split
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
  , callC
  , callC2
  , beside
    -- * For the other modules
  , sliceOf
  , boundsError
  ) where

import Control.Exception (ArrayException (..), SomeException, throw, throwIO, try, uninterruptibleMask_)
import Data.Int (Int64)
import Data.Kind (Type)
import Data.Primitive.ByteArray (ByteArray (..))
import Data.Primitive.Types (Prim, sizeOf)
import qualified Data.Primitive.Types as Prim
import qualified Data.Vector.Primitive as Primitive
import qualified Data.Vector.Storable as Storable
import Foreign.C.Types (CBool (..))
import Foreign.Storable (Storable)
import GHC.Exts
import GHC.ForeignPtr (ForeignPtr (..), ForeignPtrContents (PlainPtr))
import GHC.IO (IO (..))
import GHC.OpenMP.Loop (parallelForChunks, parallelForWith)
import GHC.OpenMP.Loop.Value (besideTransaction)
import GHC.OpenMP.Reduce (parallelReduceChunks)
import GHC.OpenMP.Reduce.Halves (inHalves)
import GHC.OpenMP.Schedule (Schedule (Dynamic))
import Prelude hiding (length, read)
import System.IO.Unsafe (unsafeDupablePerformIO)

-- ---------------------------------------------------------------------------------- types

-- | The right to read and write the array (or the part of one) that has the same index. It is
-- linear: each operation uses it once and gives it back, except those that end the array.
type RW :: Type -> Type
type role RW nominal
data RW s where
  RW :: State# RealWorld -> RW s

-- | An array, with its number of elements. It only names memory, and is of no use without the token
-- with its index. So it may be copied.
type Array :: Type -> Type -> Type
type role Array nominal nominal
data Array s a = Array Addr# Int# (MutableByteArray# RealWorld)

-- | A result that may be used any number of times, and is evaluated. An operation with a result and
-- a token returns a pair: @(Ur x, token)@.
data Ur a where
  Ur :: !a -> Ur a

-- | Which half.
--
-- @since 0.1.0
data Side = L | R

-- | The index of one side of the split @x@ of the array with index @s@.
data Half (side :: Side) x s

-- | The index of a part @x@, in 'chunksOf', of the array with index @s@.
data Part x s

-- | The index of an array in 'IO', on which C code may work.
data InIO x

-- | Arrays on which C code may work: those of 'allocIO' and 'withPtr', and their parts.
type family Effects s :: Constraint where
  Effects (InIO x) = ()
  Effects (Half side x s) = Effects s
  Effects (Part x s) = Effects s

-- | Both halves of a split, each with a token. There is no token for the whole array until
-- 'combine'.
data Slices s a where
  Slices :: Array (Half 'L x s) a -> RW (Half 'L x s) %1
         -> Array (Half 'R x s) a -> RW (Half 'R x s) %1 -> Slices s a

-- | Application from the left, so that a chain of operations reads downwards.
infixl 1 &
(&) :: a %1 -> (a %1 -> b) %1 -> b
x & f = f x
{-# INLINE (&) #-}

-- ---------------------------------------------------------------------------------- errors

boundsError :: String -> Int -> Int -> a
boundsError function i n = throw . IndexOutOfBounds $ "Data.Array.Linear." ++ function ++ ": got index "
  ++ show i ++ ", expected 0 <= index < " ++ show n
{-# NOINLINE boundsError #-}

sizeError :: String -> Int -> a
sizeError function n = throw . IndexOutOfBounds $ "Data.Array.Linear." ++ function ++ ": got size "
  ++ show n ++ ", expected one that is not negative and fits the memory; nothing was allocated"
{-# NOINLINE sizeError #-}

nullError :: Int -> a
nullError n = throw . IndexOutOfBounds $ "Data.Array.Linear.withPtr: got a null pointer, expected one to "
  ++ show n ++ " elements"
{-# NOINLINE nullError #-}

lengthError :: String -> Int -> Int -> a
lengthError function n m = throw . IndexOutOfBounds $ "Data.Array.Linear." ++ function ++ ": got arrays of "
  ++ show n ++ " and " ++ show m ++ " elements, expected equal lengths; nothing was written"
{-# NOINLINE lengthError #-}

splitError :: String -> Int -> Int -> a
splitError function i n = throw . IndexOutOfBounds $ "Data.Array.Linear." ++ function ++ ": got position "
  ++ show i ++ ", expected 0 <= position <= " ++ show n
{-# NOINLINE splitError #-}

-- ---------------------------------------------------------------------------------- making

bytesFor :: forall a. Prim a => String -> Proxy# a -> Int -> Int
bytesFor function _ n
  | n < 0 || n > maxBound `quot` (2 * size) = sizeError function n
  | otherwise = n * size
  where size = max 1 (sizeOf (undefined :: a))
{-# INLINE bytesFor #-}

-- | 'bytesFor', for memory that is to be allocated.
newBytesFor :: forall a. Prim a => String -> Proxy# a -> Int -> Int
newBytesFor function element n
  | bytes >= large && unsafeDupablePerformIO (c_fits (fromIntegral bytes)) == 0 = sizeError function n
  | otherwise = bytes
  where
    bytes = bytesFor function element n
    large = 16777216 -- from here on the question costs nothing, compared with the memory
{-# INLINE newBytesFor #-}

-- | The runtime system ends the process if there is no memory (@cbits/Array.c@).
foreign import ccall unsafe "ghcomp_array_fits" c_fits :: Int64 -> IO CBool

contents :: MutableByteArray# RealWorld -> Addr#
contents m = byteArrayContents# (unsafeCoerce# m)

-- | @alloc n use@ is the result of @use@ on a new array of @n@ elements with undefined contents.
-- The array lives inside @use@, which ends it with 'done' or 'freeze'.
--
-- Cost: one allocation of pinned memory. An 'ArrayException' when @n@ is negative or too large.
--
-- @since 0.1.0
alloc :: forall a b. Prim a => Int -> (forall s. Array s a -> RW s %1 -> Ur b) %1 -> Ur b
alloc n@(I# n') use = enter n' (runRW# (newPinnedByteArray# bytes)) use
  where !(I# bytes) = newBytesFor "alloc" (proxy# :: Proxy# a) n
{-# INLINE alloc #-}

enter :: Int# -> (# State# RealWorld, MutableByteArray# RealWorld #)
      -> (forall s. Array s a -> RW s %1 -> Ur b) %1 -> Ur b
enter n (# s, m #) use = use (Array (contents m) n m) (RW s)
{-# INLINE enter #-}

-- | 'alloc' in 'IO', where C code may work on the array ('callC'). The array is kept alive while
-- @use@ runs, even if C code always ends by an exception and no operation follows it.
--
-- @since 0.1.0
allocIO :: forall a b. Prim a => Int -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) %1 -> IO b
allocIO n@(I# n') = once (\use -> IO (\s -> case newPinnedByteArray# bytes s of
  (# s1, m #) -> keepAlive# m s1 (\s2 -> case seq# (use (Array (contents m) n' m) (RW s2)) s2 of
    (# s3, Ur result #) -> (# s3, result #))))
  where !(I# bytes) = newBytesFor "allocIO" (proxy# :: Proxy# a) n
{-# INLINE allocIO #-}

-- | Memory of C as an array, without a copy: @n@ elements from the pointer on. No other code may
-- use them meanwhile. The memory still belongs to C. An 'ArrayException' if @n@ is negative or the
-- pointer is null.
--
-- @since 0.1.0
withPtr :: forall a b. Prim a => Ptr a -> Int -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) %1 -> IO b
withPtr (Ptr address) n@(I# n') = once (\use ->
  if bytesFor "withPtr" (proxy# :: Proxy# a) n > 0 && isTrue# (eqAddr# address nullAddr#)
    then nullError n
    else IO (\s -> case newByteArray# 0# s of
      (# s1, nothing #) -> case seq# (use (Array address n' nothing) (RW s1)) s1 of
        (# s2, Ur result #) -> (# s2, result #)))
{-# INLINE withPtr #-}

-- | Gives a function that runs its argument once, in the calling thread, a type that says so.
-- Without this the type checker assumes that primitive operations, such as 'keepAlive#', use their
-- arguments any number of times.
once :: ((forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) -> IO b)
     -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) %1 -> IO b
once make = case unsafeCoerce# (AnyTimes make) of Once linear -> linear
{-# INLINE once #-}

newtype AnyTimes a b = AnyTimes ((forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) -> IO b)

newtype Once a b = Once ((forall x. Array (InIO x) a -> RW (InIO x) %1 -> Ur b) %1 -> IO b)

-- | Ends the array, with another result.
--
-- @since 0.1.0
done :: b -> RW s %1 -> Ur b
done result (RW _) = Ur result
{-# INLINE done #-}

-- | @create n use@: the vector of @n@ elements that @use@ leaves in a new array. Nothing is copied:
-- @use@ returns only the token, so no code can write when there is a vector. Cost and errors: as
-- 'alloc'.
--
-- @since 0.1.0
create :: forall a. Prim a => Int -> (forall s. Array s a -> RW s %1 -> RW s) -> Primitive.Vector a
create n@(I# n') use = case runRW# filledBytes of
  (# _, bytes' #) -> Primitive.Vector 0 n (ByteArray bytes')
  where
    filledBytes s = case newPinnedByteArray# bytes s of
      (# s1, m #) -> case use (Array (contents m) n' m) (RW s1) of RW s2 -> unsafeFreezeByteArray# m s2
    !(I# bytes) = newBytesFor "create" (proxy# :: Proxy# a) n
{-# INLINE create #-}

-- | 'create' for storable vectors.
--
-- @since 0.1.0
createStorable :: forall a. (Prim a, Storable a) => Int -> (forall s. Array s a -> RW s %1 -> RW s) -> Storable.Vector a
createStorable n use = pinnedAsStorable (create n use)
{-# INLINE createStorable #-}

-- | 'create' in 'IO', where C code may work on the array ('callC'), as in 'allocIO'.
--
-- @since 0.1.0
createIO :: forall a. Prim a
         => Int -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> RW (InIO x)) -> IO (Primitive.Vector a)
createIO n@(I# n') use = IO $ \s -> case newPinnedByteArray# bytes s of
  (# s1, m #) -> keepAlive# m s1 (\s2 -> case seq# (use (Array (contents m) n' m) (RW s2)) s2 of
    (# _, RW s3 #) -> case unsafeFreezeByteArray# m s3 of
      (# s4, bytes' #) -> (# s4, Primitive.Vector 0 n (ByteArray bytes') #))
  where !(I# bytes) = newBytesFor "createIO" (proxy# :: Proxy# a) n
{-# INLINE createIO #-}

-- | 'createIO' for storable vectors.
--
-- @since 0.1.0
createStorableIO :: forall a. (Prim a, Storable a)
                 => Int -> (forall x. Array (InIO x) a -> RW (InIO x) %1 -> RW (InIO x)) -> IO (Storable.Vector a)
createStorableIO n use = pinnedAsStorable <$> createIO n use
{-# INLINE createStorableIO #-}

-- | The same memory, which is pinned.
pinnedAsStorable :: Storable a => Primitive.Vector a -> Storable.Vector a
pinnedAsStorable (Primitive.Vector _ n (ByteArray bytes)) =
  Storable.unsafeFromForeignPtr0 (ForeignPtr (byteArrayContents# bytes) (PlainPtr (unsafeCoerce# bytes))) n

-- | Ends the array (or the part) and returns its elements as a vector. They are copied, so the
-- vector does not change even if a compiler's checker has accepted a second token ("What the
-- checkers let through", in the guide). 'create' copies nothing.
--
-- @since 0.1.0
freeze :: forall a s. Prim a => Array s a -> RW s %1 -> Ur (Primitive.Vector a)
freeze array@(Array _ n _) (RW s) = case newByteArray# (bytesOf array) s of
  (# s1, new #) -> case unsafeFreezeByteArray# new (copyOut array new s1) of
    (# _, bytes #) -> Ur (Primitive.Vector 0 (I# n) (ByteArray bytes))

-- | 'freeze' for storable vectors.
--
-- @since 0.1.0
freezeStorable :: forall a s. (Prim a, Storable a) => Array s a -> RW s %1 -> Ur (Storable.Vector a)
freezeStorable array@(Array _ n _) (RW s) = case newPinnedByteArray# (bytesOf array) s of
  (# s1, new #) -> case unsafeFreezeByteArray# new (copyOut array new s1) of
    (# _, bytes #) -> Ur (pinnedAsStorable (Primitive.Vector 0 (I# n) (ByteArray bytes)))

bytesOf :: forall a s. Prim a => Array s a -> Int#
bytesOf (Array _ n _) = bytes
  where !(I# bytes) = newBytesFor "freeze" (proxy# :: Proxy# a) (I# n)

copyOut :: Prim a => Array s a -> MutableByteArray# RealWorld -> State# RealWorld -> State# RealWorld
copyOut array@(Array address _ m) new s = touch# m (copyAddrToByteArray# address new 0# (bytesOf array) s)

-- | @evaluated x@ evaluates @x@ in the order of reads, writes and C calls: an exception of @x@ is
-- thrown after the operations before it. Without this a value may be evaluated earlier, as in all
-- pure code, and its exception may come before the effects of C.
--
-- @since 0.1.0
evaluated :: b -> RW s %1 -> (Ur b, RW s)
evaluated x (RW s) = case seq# x s of (# s1, y #) -> (Ur y, RW s1)
{-# INLINE evaluated #-}

-- ---------------------------------------------------------------------------------- elements

-- | The number of elements. Needs no token.
--
-- @since 0.1.0
length :: Array s a -> Int
length (Array _ n _) = I# n
{-# INLINE length #-}

-- | @read array i@: the element, and the token. Cost: one comparison more than 'unsafeRead'.
--
-- @since 0.1.0
read :: Prim a => Array s a -> Int -> RW s %1 -> (Ur a, RW s)
read array i (RW s)
  | inside array i = unsafeRead array i (RW s)
  | otherwise = boundsError "read" i (length array)
{-# INLINE read #-}

-- | @write array i x@.
--
-- @since 0.1.0
write :: Prim a => Array s a -> Int -> a -> RW s %1 -> RW s
write array i x (RW s)
  | inside array i = unsafeWrite array i x (RW s)
  | otherwise = boundsError "write" i (length array)
{-# INLINE write #-}

-- | @modify array i f@ replaces one element.
--
-- @since 0.1.0
modify :: Prim a => Array s a -> Int -> (a -> a) -> RW s %1 -> RW s
modify array i f (RW s)
  | inside array i = case unsafeRead array i (RW s) of
      (Ur x, RW s1) -> unsafeWrite array i (f x) (RW s1)
  | otherwise = boundsError "modify" i (length array)
{-# INLINE modify #-}

-- | One unsigned comparison, in which a negative index is a large number.
inside :: Array s a -> Int -> Bool
inside (Array _ n _) (I# i) = isTrue# (ltWord# (int2Word# i) (int2Word# n))
{-# INLINE inside #-}

-- | 'read' without a check.
unsafeRead :: Prim a => Array s a -> Int -> RW s %1 -> (Ur a, RW s)
unsafeRead (Array address _ m) (I# i) (RW s) = case Prim.readOffAddr# address i s of
  (# s1, x #) -> case touch# m s1 of s2 -> (Ur x, RW s2)
{-# INLINE unsafeRead #-}

-- | 'write' without a check.
unsafeWrite :: Prim a => Array s a -> Int -> a -> RW s %1 -> RW s
unsafeWrite (Array address _ m) (I# i) !x (RW s) = case Prim.writeOffAddr# address i x s of
  s1 -> case touch# m s1 of s2 -> RW s2
{-# INLINE unsafeWrite #-}

-- | Writes one value into all elements.
--
-- @since 0.1.0
fill :: Prim a => Array s a -> a -> RW s %1 -> RW s
fill (Array address n m) !x (RW s) = case Prim.setOffAddr# address 0# n x s of
  s1 -> case touch# m s1 of s2 -> RW s2
{-# INLINE fill #-}

-- ---------------------------------------------------------------------------------- parts

-- | Elements @from … from+count-1@, with another index. Not checked.
sliceOf :: forall a s t. Prim a => Array s a -> Int -> Int -> Array t a
sliceOf (Array address _ m) from (I# count) = Array (plusAddr# address bytes) count m
  where !(I# bytes) = from * sizeOf (undefined :: a)
{-# INLINE sliceOf #-}

-- | @split array i@: the first @i@ elements, and the remaining ones. An 'ArrayException' unless @0
-- <= i <= length array@.
--
-- @since 0.1.0
split :: Prim a => Array s a -> Int -> RW s %1 -> Slices s a
split array@(Array _ n m) i@(I# i') (RW s)
  | isTrue# (leWord# (int2Word# i') (int2Word# n)) = case touch# m s of
      left -> case touch# m left of
        right -> Slices (sliceOf array 0 i) (RW left) (sliceOf array i (length array - i)) (RW right)
  | otherwise = splitError "split" i (length array)
{-# INLINE split #-}

-- | The token of the whole array, in exchange for the tokens of both halves of one split.
--
-- @since 0.1.0
combine :: RW (Half 'L x s) %1 -> RW (Half 'R x s) %1 -> RW s
combine (RW left) (RW right) = case touch# (RW right) left of s -> RW s
{-# INLINE combine #-}

-- | @parCombine i left right array@ runs @left@ on the first @i@ elements, as a spark, and @right@
-- on the others, in parallel. If no processor is idle, they run one after the other. An exception
-- of one is thrown when both have ended. An asynchronous one waits until then. An 'ArrayException'
-- unless @0 <= i <= length array@. Cost: a spark.
--
-- @since 0.1.0
parCombine
  :: Prim a => Int
  -> (forall x. Array (Half 'L x s) a -> RW (Half 'L x s) %1 -> (Ur b, RW (Half 'L x s)))
  -> (forall x. Array (Half 'R x s) a -> RW (Half 'R x s) %1 -> (Ur c, RW (Half 'R x s)))
  -> Array s a -> RW s %1 -> (Ur (b, c), RW s)
parCombine i@(I# i') left right array@(Array _ n _) (RW s)
  | isTrue# (leWord# (int2Word# i') (int2Word# n)) = atItsPlace
      (sideBySide (runHalf left (sliceOf array 0 i)) (runHalf right (sliceOf array i (length array - i)))) (RW s)
  | otherwise = splitError "parCombine" i (length array)

-- | Both results, when both sides have ended. If one side throws an exception, the other side must
-- also end first: its memory may be used for something else as soon as the exception is thrown.
sideBySide :: (State# RealWorld -> (Ur b, RW t)) -> (State# RealWorld -> (Ur c, RW u)) -> IO (b, c)
sideBySide left right = do
  spark <- IO (\s -> spark# (left s) s)
  there <- try (IO (\s -> seq# (right s) s))
  here <- try (IO (\s -> seq# spark s))
  (Ur y, RW _) <- whatItThrew there
  (Ur x, RW _) <- whatItThrew here
  pure (x, y)
  where
    whatItThrew :: Either SomeException r -> IO r
    whatItThrew = either throwIO pure
{-# NOINLINE sideBySide #-}

-- | Executed once, although a spark and its creator may begin it at the same time. And executed
-- completely: a pair may be evaluated before its token, and the writes are part of the token.
runHalf :: (Array t a -> RW t %1 -> (Ur b, RW t)) -> Array t a -> State# RealWorld -> (Ur b, RW t)
runHalf use part s = case noDuplicate# s of s1 -> case use part (RW s1) of (Ur !x, RW s2) -> (Ur x, RW s2)
{-# NOINLINE runHalf #-}

-- | @chunksOf size use array@ runs @use offset part@ for the parts of @size@ elements, one after
-- the other. The last part may be shorter. A size below 1 counts as 1.
--
-- @since 0.1.0
chunksOf
  :: Prim a => Int -> (forall x. Int -> Array (Part x s) a -> RW (Part x s) %1 -> RW (Part x s))
  -> Array s a -> RW s %1 -> RW s
chunksOf size use array (RW s0) = go 0 s0
  where
    step = max 1 size
    go from s
      | from >= length array = RW s
      | otherwise = case use from (sliceOf array from (min step (length array - from))) (RW s) of
          RW s1 -> go (from + step) s1
{-# INLINE chunksOf #-}

-- | 'chunksOf' on the OpenMP team, with the parts in parallel. An exception of one is thrown when
-- all have stopped. An asynchronous exception waits until everything is done.
--
-- @since 0.1.0
parChunksOf
  :: Prim a => Int -> (forall x. Int -> Array (Part x s) a -> RW (Part x s) %1 -> RW (Part x s))
  -> Array s a -> RW s %1 -> RW s
parChunksOf size use array token = effect (atItsPlace (parallelForWith (Dynamic 1) 0 parts part) token)
  where
    step = max 1 size
    parts | length array == 0 = 0
          | otherwise = (length array - 1) `quot` step + 1
    part number =
      let from = number * step
      in IO $ \s -> case use from (sliceOf array from (min step (length array - from))) (RW s) of
        RW s1 -> (# s1, () #)
{-# INLINE parChunksOf #-}

-- ---------------------------------------------------------------------------------- all elements

-- Each of these runs threads of its own, in the order of reads and writes. An interrupted pure
-- computation is left half done and begun again later. That must not happen here, so these are not
-- interrupted. A thread also gives its computation up when it finds that another thread evaluates
-- the same value (noDuplicate#). It must find that out before the other threads begin.

atItsPlace :: IO r -> RW s %1 -> (Ur r, RW s)
atItsPlace action (RW s) = case unIO (besideTransaction (uninterruptibleMask_ action)) (noDuplicate# s) of
  (# s1, !result #) -> (Ur result, RW s1)
{-# INLINE atItsPlace #-}

effect :: (Ur (), RW s) %1 -> RW s
effect (Ur (), token) = token
{-# INLINE effect #-}

unIO :: IO r -> State# RealWorld -> (# State# RealWorld, r #)
unIO (IO action) = action
{-# INLINE unIO #-}

-- | @parGenerate f array@: element @i@ becomes @f i@, on the OpenMP team. An exception of @f@ is
-- thrown when all threads have stopped. An asynchronous exception waits until everything is done.
-- Cost: a loop of "GHC.OpenMP.Loop".
--
-- @since 0.1.0
parGenerate :: Prim a => (Int -> a) -> Array s a -> RW s %1 -> RW s
parGenerate f array@(Array address _ m) token = effect (atItsPlace (parallelForChunks 0 (length array) chunk) token)
  where
    chunk (I# first) (I# end) = IO $ \s -> case go first s of s1 -> (# s1, () #)
      where
        go i s | isTrue# (i >=# end) = s
               | otherwise = case f (I# i) of !x -> go (i +# 1#) (touch# m (Prim.writeOffAddr# address i x s))
{-# INLINE parGenerate #-}

-- | @parMap f array@: every element @x@ becomes @f x@. Otherwise as 'parGenerate'.
--
-- @since 0.1.0
parMap :: Prim a => (a -> a) -> Array s a -> RW s %1 -> RW s
parMap f array token = effect (atItsPlace (mapInto f array array) token)
{-# INLINE parMap #-}

mapInto :: (Prim a, Prim b) => (a -> b) -> Array s a -> Array t b -> IO ()
mapInto f from@(Array source _ ms) (Array target _ mt) = parallelForChunks 0 (length from) chunk
  where
    chunk (I# first) (I# end) = IO $ \s -> case go first s of s1 -> (# s1, () #)
      where
        go i s | isTrue# (i >=# end) = s
               | otherwise = case Prim.readOffAddr# source i s of
                   (# s1, x #) -> case touch# ms s1 of
                     s2 -> case f x of !y -> go (i +# 1#) (touch# mt (Prim.writeOffAddr# target i y s2))
{-# INLINE mapInto #-}

-- | @parMapInto f from to@: element @i@ of @to@ becomes @f@ of element @i@ of @from@. Otherwise as
-- 'parGenerate'. An 'ArrayException' unless both have the same length.
--
-- @since 0.1.0
parMapInto :: (Prim a, Prim b) => (a -> b) -> Array s a -> Array t b -> RW s %1 -> RW t %1 -> (RW s, RW t)
parMapInto f from to (RW s) (RW t)
  | length from == length to = case effect (atItsPlace (mapInto f from to) (RW (afterBoth s t))) of
      RW s1 -> (RW s1, RW s1)
  | otherwise = lengthError "parMapInto" (length from) (length to)
{-# INLINE parMapInto #-}

-- | A state after the operations on two arrays.
afterBoth :: State# RealWorld -> State# RealWorld -> State# RealWorld
afterBoth s t = touch# (RW t) s
{-# INLINE afterBoth #-}

-- | @parFold merge zero array@ combines all elements in order, on the OpenMP team, as
-- 'GHC.OpenMP.Vector.parallelFold' does. @merge@ must be associative, with @zero@ as its neutral
-- element. The result has the same bits at any @+RTS -N@. Exceptions and cost: as 'parGenerate'.
--
-- @since 0.1.0
parFold :: Prim a => (a -> a -> a) -> a -> Array s a -> RW s %1 -> (Ur a, RW s)
parFold merge zero = foldOf merge zero id
{-# INLINE parFold #-}

-- | @parFoldMap f array@ combines @f@ of all elements in order, by '<>'. For no elements it is
-- 'mempty'. Otherwise as 'parFold'.
--
-- @since 0.2.0
parFoldMap :: (Prim a, Monoid m) => (a -> m) -> Array s a -> RW s %1 -> (Ur m, RW s)
parFoldMap = foldOf (<>) mempty
{-# INLINE parFoldMap #-}

foldOf :: Prim a => (b -> b -> b) -> b -> (a -> b) -> Array s a -> RW s %1 -> (Ur b, RW s)
foldOf merge zero f array@(Array address _ m) =
  atItsPlace (parallelReduceChunks merge zero 0 (length array) (inHalves merge element))
  where
    element (I# i) = IO $ \s -> case Prim.readOffAddr# address i s of
      (# s1, x #) -> let !y = f x in (# touch# m s1, y #)
{-# INLINE foldOf #-}

-- ---------------------------------------------------------------------------------- C

-- | @callC call array@ runs @call pointer count@, which usually is C code, after the operations
-- before it and before those after it. So a later read sees what @call@ wrote. The pointer must not
-- be kept. An exception of @call@ arrives where the array was made; the array is alive until then.
-- Cost: that of @call@.
--
-- @since 0.1.0
callC :: Effects s => (Ptr a -> Int -> IO r) -> Array s a -> RW s %1 -> (Ur r, RW s)
callC call (Array address n m) (RW s) = case unIO (call (Ptr address) (I# n)) s of
  (# s1, !result #) -> case touch# m s1 of s2 -> (Ur result, RW s2)
{-# INLINE callC #-}

-- | @callC2 call from to@ runs @call pointer count pointer count@ on two arrays, or on two parts of
-- one. It takes both tokens and gives them back. For C code that reads one array and writes the
-- other. It runs after the earlier operations on both arrays, and before the later operations on
-- either. Otherwise as 'callC'. 'beside' makes a second array available.
--
-- @since 0.2.0
callC2 :: (Effects s, Effects t)
       => (Ptr a -> Int -> Ptr b -> Int -> IO r) -> Array s a -> Array t b
       -> RW s %1 -> RW t %1 -> (Ur r, RW s, RW t)
callC2 call (Array p n mp) (Array q k mq) (RW s) (RW t) =
  case unIO (call (Ptr p) (I# n) (Ptr q) (I# k)) (afterBoth s t) of
    (# s1, !result #) -> case touch# mq (touch# mp s1) of s2 -> (Ur result, RW s2, RW s2)
{-# INLINE callC2 #-}

-- | @beside make use@ makes a further array while there is another one, for 'callC2', 'parMapInto'
-- and the like. @make@ is @allocIO n@, @withPtr pointer n@, @withVector vector@ or @withByteArray
-- bytes@. @use@ gets the new array, its token, and the token of the first array, and ends the new
-- array. Calls may be nested, for any number of arrays. Errors and cost are those of @make@.
--
-- > axpy a x y token = token & beside (withVector x) (\other t s ->
-- >   callC2 (c_axpy a) other y t s & \case (Ur (), t', s') -> (done () t', s'))
--
-- @since 0.2.0
beside
  :: forall s b r. Effects s
  => ((forall x. Array (InIO x) b -> RW (InIO x) %1 -> Ur r) %1 -> IO r)
  -> (forall x. Array (InIO x) b -> RW (InIO x) %1 -> RW s %1 -> (Ur r, RW s))
  -> RW s %1 -> (Ur r, RW s)
beside make use (RW s) = case unIO (make used) s of (# s1, !result #) -> (Ur result, RW s1)
  where
    used :: forall x. Array (InIO x) b -> RW (InIO x) %1 -> Ur r
    used array (RW t) = case use array (RW t) (RW t) of (Ur result, RW _) -> Ur result
{-# INLINE beside #-}
