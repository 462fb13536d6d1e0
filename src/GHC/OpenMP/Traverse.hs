-- | The parallel 'mapM' and 'Control.Monad.forM': an action for each element of a list, a @Map@, or any other
-- 'Traversable', whose results stand where the elements stood.
--
-- A loop of "GHC.OpenMP.Loop" executes the actions, so what is said there of exceptions, @timeout@, the masking
-- state and free Capabilities holds here. The results are as the actions return them: an action that is to
-- compute a value, and not only to describe it, ends with 'Control.Exception.evaluate' or '$!'.
--
-- Unlike @mapConcurrently@ of the package @async@, this makes no thread for each element: a thousand actions
-- run on as many threads as there are free Capabilities. So an action must not wait for another one of the same
-- call that has not begun.
--
-- Cost: beside the loop, two walks over the structure and two arrays: some 0.7 µs for ten elements, 40 ns an element
-- for a thousand. From some ten thousand on the garbage collector meets the arrays, and an element costs up to a
-- microsecond. So an action should take some microseconds; "GHC.OpenMP.Vector" is for elements that take less.
module GHC.OpenMP.Traverse
  ( parallelMapM
  , parallelForM
    -- * With a schedule
  , parallelMapMWith
  , parallelForMWith
  ) where

import Control.Monad (zipWithM_)
import Data.Functor.Const (Const (..))
import Data.IORef
import Data.Monoid (Endo (..))
import Data.Primitive.Array (MutableArray, newArray, readArray, writeArray)
import GHC.Exts (RealWorld)
import GHC.OpenMP.Loop (parallelForWith)
import GHC.OpenMP.Schedule

-- $setup
-- >>> import Control.Exception
-- >>> import GHC.OpenMP.Schedule

-- | @parallelMapM f xs@ is @'mapM' f xs@ with the actions in any order and at the same time. The results are in
-- the order of @xs@.
--
-- >>> parallelMapM (\n -> evaluate (product [1 .. n])) [3, 10, 20 :: Integer]
-- [6,3628800,2432902008176640000]
--
-- >>> try (parallelMapM (\n -> evaluate (100 `div` n)) [5, 0, 2]) :: IO (Either ArithException [Int])
-- Left divide by zero
--
-- @since 0.2.0
parallelMapM :: Traversable t => (a -> IO b) -> t a -> IO (t b)
parallelMapM = parallelMapMWith Auto
{-# INLINE parallelMapM #-}

-- | 'parallelMapM' with its arguments the other way round, for a function that is long.
--
-- >>> parallelForM (Just 4) (\n -> pure (n * n))
-- Just 16
--
-- @since 0.2.0
parallelForM :: Traversable t => t a -> (a -> IO b) -> IO (t b)
parallelForM = flip parallelMapM
{-# INLINE parallelForM #-}

-- | 'parallelMapM' with a schedule: @'Dynamic' 1@ where each action takes long, and some much longer than others.
--
-- >>> parallelMapMWith (Dynamic 1) (pure . length) [[1, 2], [], [3]]
-- [2,0,1]
--
-- @since 0.2.0
parallelMapMWith :: Traversable t => Schedule -> (a -> IO b) -> t a -> IO (t b)
parallelMapMWith schedule f structure = do
  (count, arguments) <- elementsOf structure
  results <- newArray count (error "GHC.OpenMP.Traverse: an action without a result")
  parallelForWith schedule 0 count (\i -> readArray arguments i >>= f >>= writeArray results i)
  withElements structure results
{-# INLINABLE parallelMapMWith #-}

-- | 'parallelForM' with a schedule.
--
-- @since 0.2.0
parallelForMWith :: Traversable t => Schedule -> t a -> (a -> IO b) -> IO (t b)
parallelForMWith schedule = flip (parallelMapMWith schedule)
{-# INLINE parallelForMWith #-}

-- | The elements, and how many. By the same walk as 'withElements', and not by the structure's 'Foldable', which
-- might see another number of them.
elementsOf :: Traversable t => t a -> IO (Int, MutableArray RealWorld a)
elementsOf structure = do
  let list = appEndo (getConst (traverse (\x -> Const (Endo (x :))) structure)) []
      count = length list
  elements <- newArray count (error "GHC.OpenMP.Traverse: an element that was not seen")
  zipWithM_ (writeArray elements) [0 ..] list
  pure (count, elements)
{-# INLINABLE elementsOf #-}

-- | The structure with other elements in place of its own.
withElements :: Traversable t => t a -> MutableArray RealWorld b -> IO (t b)
withElements structure elements = do
  next <- newIORef 0
  traverse (\_ -> readIORef next >>= \i -> writeIORef next (i + 1) >> readArray elements i) structure
{-# INLINABLE withElements #-}
