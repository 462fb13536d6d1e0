-- | Loops over the elements of a structure.
module GHC.OpenMP.Loop.Elements
  ( traverseIn
  , traverseIn_
  ) where

import Control.Monad (zipWithM_)
import Data.Foldable (toList)
import Data.Functor.Const (Const (..))
import Data.IORef
import Data.Monoid (Endo (..))
import Data.Primitive.Array (MutableArray, indexArray, arrayFromList, newArray, readArray, sizeofArray, writeArray)
import GHC.Exts (RealWorld)

-- | @traverseIn loop f structure@: @loop n body@ executes @body i@ for @0 <= i < n@.
traverseIn :: Traversable t => (Int -> (Int -> IO ()) -> IO ()) -> (a -> IO b) -> t a -> IO (t b)
traverseIn loop f structure = do
  (count, arguments) <- elementsOf structure
  results <- newArray count (error "GHC.OpenMP.Loop.Elements: an action without a result")
  loop count (\i -> readArray arguments i >>= f >>= writeArray results i)
  withElements structure results
{-# INLINABLE traverseIn #-}

-- | Without results.
traverseIn_ :: Foldable t => (Int -> (Int -> IO ()) -> IO ()) -> (a -> IO b) -> t a -> IO ()
traverseIn_ loop f structure = loop (sizeofArray arguments) (\i -> () <$ f (indexArray arguments i))
  where arguments = arrayFromList (toList structure)
{-# INLINABLE traverseIn_ #-}

-- | The elements, and their number. It uses the same walk as 'withElements', because the
-- structure's 'Foldable' might see another number of elements.
elementsOf :: Traversable t => t a -> IO (Int, MutableArray RealWorld a)
elementsOf structure = do
  let list = appEndo (getConst (traverse (\x -> Const (Endo (x :))) structure)) []
      count = length list
  elements <- newArray count (error "GHC.OpenMP.Loop.Elements: an element that was not seen")
  zipWithM_ (writeArray elements) [0 ..] list
  pure (count, elements)
{-# INLINABLE elementsOf #-}

-- | The structure with other elements in the places of its own.
withElements :: Traversable t => t a -> MutableArray RealWorld b -> IO (t b)
withElements structure elements = do
  next <- newIORef 0
  traverse (\_ -> readIORef next >>= \i -> writeIORef next (i + 1) >> readArray elements i) structure
{-# INLINABLE withElements #-}
