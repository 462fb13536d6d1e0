{-# LANGUAGE BangPatterns #-}

-- | Loops over the elements of a structure.
module GHC.OpenMP.Loop.Elements
  ( traverseIn
  , traverseIn_
  ) where

import Data.Foldable (toList)
import Data.IORef
import Data.Primitive.Array (MutableArray, arrayFromList, copyMutableArray, indexArray, newArray, readArray, sizeofArray, sizeofMutableArray, writeArray)
import Data.Primitive.ByteArray (newByteArray, readByteArray, writeByteArray)
import GHC.Exts (Any, RealWorld)
import Unsafe.Coerce (unsafeCoerce)

-- | @traverseIn loop f structure@: @loop n body@ executes @body i@ for @0 <= i < n@.
traverseIn :: Traversable t => (Int -> (Int -> IO ()) -> IO ()) -> (a -> IO b) -> t a -> IO (t b)
traverseIn loop f structure = do
  (count, places) <- elementsOf structure
  loop count (inPlace f places)
  withElements structure count places
{-# INLINABLE [1] traverseIn #-}
{-# RULES "traverseIn/list" forall loop (f :: a -> IO b) (list :: [a]). traverseIn loop f list = traverseList loop f list #-}

-- | The same for a list, whose results are put together from its end, without a stack. A thousand bodies of 50 ns take what they take
-- with 'mapM', and with two walks a quarter more.
traverseList :: (Int -> (Int -> IO ()) -> IO ()) -> (a -> IO b) -> [a] -> IO [b]
traverseList loop f list = do
  let !count = length list
  places <- newArray count unseen
  let fill !i xs = case xs of
        x : rest -> writeArray places i (unsafeCoerce x) >> fill (i + 1) rest
        [] -> pure ()
      collect !i ys
        | i < 0 = pure ys
        | otherwise = readArray places i >>= \y -> collect (i - 1) (unsafeCoerce y : ys)
  fill 0 list
  loop count (inPlace f places)
  collect (count - 1) []
{-# INLINE traverseList #-}

-- | A place has an element until its action has ended, and then the result. Each action is executed once.
inPlace :: (a -> IO b) -> MutableArray RealWorld Any -> Int -> IO ()
inPlace f places i = readArray places i >>= f . unsafeCoerce >>= writeArray places i . unsafeCoerce
{-# INLINE inPlace #-}

-- | Without results.
traverseIn_ :: Foldable t => (Int -> (Int -> IO ()) -> IO ()) -> (a -> IO b) -> t a -> IO ()
traverseIn_ loop f structure = loop (sizeofArray arguments) (\i -> () <$ f (indexArray arguments i))
  where arguments = arrayFromList (toList structure)
{-# INLINABLE traverseIn_ #-}

-- | A walk that looks at each element, and makes nothing.
newtype Visit a = Visit (IO ())

instance Functor Visit where
  fmap _ (Visit walk) = Visit walk

instance Applicative Visit where
  pure _ = Visit (pure ())
  Visit first <*> Visit second = Visit (first >> second)

-- | The number of elements, and an array that begins with them. It uses the same walk as 'withElements', because the structure's 'Foldable'
-- might see another number of elements. Nobody knows their number before, so the array grows.
elementsOf :: Traversable t => t a -> IO (Int, MutableArray RealWorld Any)
elementsOf structure = do
  many <- newByteArray 8
  writeByteArray many 0 (0 :: Int)
  array <- newArray 16 unseen >>= newIORef
  let put x = Visit $ do
        n <- readByteArray many 0
        places <- readIORef array
        room <- if n < sizeofMutableArray places then pure places else do
          larger <- newArray (2 * n) unseen
          copyMutableArray larger 0 places 0 n
          larger <$ writeIORef array larger
        writeArray room n (unsafeCoerce x)
        writeByteArray many 0 (n + 1)
  case traverse put structure of Visit walk -> walk
  (,) <$> readByteArray many 0 <*> readIORef array
{-# INLINABLE elementsOf #-}

unseen :: Any
unseen = error "GHC.OpenMP.Loop.Elements: an element that was not seen"

-- | The structure with what the array has in the places of its elements.
withElements :: Traversable t => t a -> Int -> MutableArray RealWorld Any -> IO (t b)
withElements structure count places = do
  next <- newByteArray 8
  writeByteArray next 0 (0 :: Int)
  let get _ = do
        i <- readByteArray next 0
        writeByteArray next 0 (i + 1)
        if i < count then unsafeCoerce <$> readArray places i
          else error "GHC.OpenMP.Loop.Elements: two walks over one structure have seen different numbers of elements"
  traverse get structure
{-# INLINABLE withElements #-}
