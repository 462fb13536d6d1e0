{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE TypeFamilies #-}

-- | Many calls of one C function for the price of one @safe@ call.
--
-- A safe call costs some 40 ns, because it releases the Capability and takes it again. An unsafe
-- call costs 2 ns, but is not allowed for a C function that blocks, calls back, or takes long. A
-- batch is one safe call that makes all the calls, at 2 ns each, with arguments from vectors,
-- ranges and constants.
--
-- > foreign import ccall "&hypot" p_hypot :: FunPtr (Double -> Double -> IO Double)
-- >
-- > lengths <- batched p_hypot n (Each xs) (Each ys)
--
-- During a batch:
--
-- * Other Haskell threads run, and the garbage collector works: arguments and results are outside
--   the heap, or do not move.
-- * The C function may call back into Haskell, and start OpenMP regions. An exception in a naked
--   callback ends the process, as always. Exceptions in callbacks of "GHC.OpenMP.Callback" arrive
--   after the batch.
-- * The batch can be interrupted (@timeout@, @killThread@) about every half a millisecond, between
--   two calls. The earlier calls have been made, the later ones have not.
--
-- Functions may have up to six words and eight doubles, in any order, on x86-64 and AArch64: those
-- arguments are passed in registers.
module GHC.OpenMP.Batch
  ( batched
  , Column (..)
  , Signature
  , Batched
  , Scalar
  , Result
  , Results
  , BadArgument (..)
  ) where

import Control.Exception (throwIO)
import Control.Monad (forM_, when)
import Data.Int (Int64)
import qualified Data.Vector.Storable as V
import qualified Data.Vector.Storable.Mutable as M
import Data.Word (Word64)
import Foreign.C.Types
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Ptr
import Foreign.Storable
import GHC.OpenMP.Refusal
import GHC.Stack (CallStack, HasCallStack, callStack)

-- $setup
-- >>> import Foreign.Ptr
-- >>> import qualified Data.Vector.Storable as V

foreign import ccall safe "ghcomp_batch_run" c_run :: Ptr () -> Int64 -> Int64 -> IO Int64

-- | Where one argument comes from.
--
-- @since 0.1.0
data Column a
  = Each (V.Vector a) -- ^ Call @i@ gets element @i@. The vector has one element for each call.
  | Always a          -- ^ All calls get the same value.
  | From a            -- ^ Call @i@ gets this value plus @i@. For words.

-- | Types that are passed in a register of 64 bits.
--
-- @since 0.1.0
class Storable a => Scalar a where
  isWord :: Column a -> Bool
  isWord _ = True

instance Scalar Int
instance Scalar Word
instance Scalar Int64
instance Scalar Word64
instance Scalar CLong
instance Scalar CULong
instance Scalar CSize
instance Scalar (Ptr b)
instance Scalar (FunPtr b)
instance Scalar Double where isWord _ = False
instance Scalar CDouble where isWord _ = False

-- | The result of a batch of functions with this result type.
--
-- @since 0.1.0
class Result r where
  -- | A vector of results, or @()@ if there are none.
  type Results r
  collect :: proxy r -> Int -> (Int -> Ptr () -> IO ()) -> IO (Results r)

-- | @enum result@ of @cbits/Batch.c@.
inWords, inDoubles :: Int
inWords = 1
inDoubles = 2

instance Result () where
  type Results () = ()
  collect _ _ run = run 0 nullPtr
  {-# INLINE collect #-}

instance Result Int where
  type Results Int = V.Vector Int
  collect _ = collectIn inWords
  {-# INLINE collect #-}

instance Result Word where
  type Results Word = V.Vector Word
  collect _ = collectIn inWords
  {-# INLINE collect #-}

instance Result CLong where
  type Results CLong = V.Vector CLong
  collect _ = collectIn inWords
  {-# INLINE collect #-}

instance Result (Ptr b) where
  type Results (Ptr b) = V.Vector (Ptr b)
  collect _ = collectIn inWords
  {-# INLINE collect #-}

instance Result Double where
  type Results Double = V.Vector Double
  collect _ = collectIn inDoubles
  {-# INLINE collect #-}

instance Result CDouble where
  type Results CDouble = V.Vector CDouble
  collect _ = collectIn inDoubles
  {-# INLINE collect #-}

collectIn :: Storable r => Int -> Int -> (Int -> Ptr () -> IO ()) -> IO (V.Vector r)
collectIn kind n run = do
  results <- M.unsafeNew (max 0 n) -- a negative number is refused in run
  M.unsafeWith results (run kind . castPtr)
  V.unsafeFreeze results
{-# INLINE collectIn #-}

-- | A C function's type with each argument in columns.
--
-- @since 0.1.0
type family Batched f where
  Batched (a -> f) = Column a -> Batched f
  Batched (IO r) = IO (Results r)

-- | What is known about the arguments so far.
data Call = Call
  { function :: !(FunPtr ())
  , count :: !Int
  , wordCount :: !Int
  , doubleCount :: !Int
  , problem :: Maybe (String, String)       -- ^ the first thing that is wrong with a column: what was given, what was expected
  , caller :: CallStack
  , withColumns :: Ptr () -> IO () -> IO () -- ^ describes them in the @struct batch@, and keeps them alive
  }

-- | The types of functions that can be called in batches.
--
-- @since 0.1.0
class Signature f where
  start :: proxy f -> Call -> Batched f

instance (Scalar a, Signature f) => Signature (a -> f) where
  start _ call column = start (Next :: Next f) (add call column)
  {-# INLINE start #-}

instance Result r => Signature (IO r) where
  start _ call = collect (Next :: Next r) (count call) (perform call)
  {-# INLINE start #-}

data Next f = Next

add :: Scalar a => Call -> Column a -> Call
add call column = call
  { wordCount = wordCount call + fromEnum (isWord column)
  , doubleCount = doubleCount call + fromEnum (not (isWord column))
  , problem = maybe (problemOf (count call) column) Just (problem call)
  , withColumns = \batch run -> withColumns call batch (describe batch place column run)
  }
  where place = if isWord column then wordColumn (wordCount call) else doubleColumn (doubleCount call)
{-# INLINE add #-}

problemOf :: Scalar a => Int -> Column a -> Maybe (String, String)
problemOf n column = case column of
  Each xs | V.length xs /= n -> Just ("a column of " ++ show (V.length xs) ++ " elements", "one for each of " ++ show n ++ " calls")
  From _ | not (isWord column) -> Just ("From for a double", "it for words only")
  _ -> Nothing
{-# INLINE problemOf #-}

-- | The column at an offset. A single value stands in the column itself.
describe :: forall a. Scalar a => Ptr () -> Int -> Column a -> IO () -> IO ()
describe batch place column run = case column of
  Each xs -> V.unsafeWith xs (\p -> put (castPtr p) (sizeOf (undefined :: a)) 0 >> run)
  Always x -> single x 0
  From x -> single x 1
  where
    single x increment = poke (castPtr cell) x >> put cell 0 increment >> run
    cell = batch `plusPtr` (place + 24) :: Ptr ()
    put :: Ptr () -> Int -> Int -> IO ()
    put base stride increment = do
      pokeByteOff batch place base
      pokeByteOff batch (place + 8) stride
      pokeByteOff batch (place + 16) increment
{-# INLINE describe #-}

-- | @batched function n columns…@ makes @n@ calls, in order, on the calling thread, and returns
-- their results. It throws 'BadArgument' before the first call if the length of a vector is not @n@,
-- if @n@ is negative, if a column of doubles is 'From', or if there are more than six words or
-- eight doubles.
--
-- Cost: a safe call, and about 2 ns for each call of the function.
--
-- @since 0.1.0
batched :: forall f. (HasCallStack, Signature f) => FunPtr f -> Int -> Batched f
batched f n = start (Next :: Next f) (Call (castFunPtr f) n 0 0 Nothing callStack (\_ run -> run))
{-# INLINE batched #-}

perform :: Call -> Int -> Ptr () -> IO ()
perform call kind results
  | count call < 0 = refuse call (show (count call) ++ " calls", "a number that is not negative")
  | wordCount call > 6 || doubleCount call > 8 = refuse call
      ("a function of " ++ show (wordCount call) ++ " words and " ++ show (doubleCount call) ++ " doubles", "at most 6 and 8")
  | Just why <- problem call = refuse call why
  | otherwise = allocaBytesAligned (doubles * columnSize + headSize + words' * columnSize) 8 $ \memory -> do
      let batch = memory `plusPtr` (doubles * columnSize)
      poke (castPtr batch) (function call)
      pokeByteOff batch 8 (wordCount call)
      pokeByteOff batch 16 (doubleCount call)
      pokeByteOff batch 24 kind
      pokeByteOff batch 32 results
      when large (unusedColumns batch)
      withColumns call batch (pieces batch 0)
  where
    large = wordCount call > 3 || doubleCount call > 3
    (words', doubles) = if large then (6, 8) else (wordCount call, doubleCount call)
    pieces batch from = when (from < fromIntegral (count call)) $
      c_run batch from (fromIntegral (count call)) >>= pieces batch
{-# INLINE perform #-}

refuse :: Call -> (String, String) -> IO a
refuse call (given, expected) = throwIO (BadArgument "GHC.OpenMP.Batch.batched" given expected "no call was made" (caller call))
{-# NOINLINE refuse #-}

-- | If all registers are loaded, columns that the function does not have hold zero.
unusedColumns :: Ptr () -> IO ()
unusedColumns batch = forM_ (map wordColumn [0 .. 5] ++ map doubleColumn [0 .. 7]) $ \place ->
  describe batch place (Always (0 :: Int)) (pure ())
{-# NOINLINE unusedColumns #-}

-- | Where the columns of a @struct batch@ (@cbits/Batch.c@) are.
wordColumn, doubleColumn :: Int -> Int
wordColumn k = headSize + columnSize * k
doubleColumn k = negate (columnSize * (k + 1))

headSize, columnSize :: Int
headSize = 40
columnSize = 32
