{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MonoLocalBinds #-}

-- | The first element that a predicate accepts.
--
-- Workers take the blocks in the order of the vector, whatever part of the loop is theirs: then what comes after the first match is
-- not looked at, but for the blocks under way.
module GHC.OpenMP.Vector.Search
  ( parallelFindIndex
  , parallelFind
  , parallelElem
  , parallelNotElem
  , parallelAll
  , parallelAny
  ) where

import Control.Exception
import Data.IORef
import Data.Maybe (isJust, isNothing)
import Data.Vector.Generic (Vector)
import qualified Data.Vector.Generic as V
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share
import GHC.OpenMP.Loop.Value
import GHC.OpenMP.Schedule
import GHC.OpenMP.Vector.Blocks
import GHC.OpenMP.Vector.Tickets

-- $setup
-- >>> import qualified Data.Vector as B
-- >>> import qualified Data.Vector.Unboxed as U

-- | @parallelFindIndex p v@ is @'V.findIndex' p v@: the first index whose element @p@ accepts.
--
-- It stops early. Workers take blocks of at most 4096 elements, in order. After a match no block behind it begins, and a worker
-- in such a block looks at no more than 16 further elements. What these give has no influence on the result, also if @p@ or an element throws
-- an exception: that is thrown only if @p@ accepts no element before. So the result is that of 'V.findIndex', but for one
-- thing: a computation for a later element that is under way already has to end by itself.
--
-- >>> parallelFindIndex (> 10) (U.fromList [3, 20, 5, 30 :: Int])
-- Just 1
--
-- >>> parallelFindIndex (== 2) (B.fromList [1, 2, error "not needed"])
-- Just 1
--
-- @since 0.2.0
parallelFindIndex :: Vector v a => (a -> Bool) -> v a -> Maybe Int
parallelFindIndex p v
  | n == 0 = Nothing
  | otherwise = pureLoop $ do
      tickets <- newTickets
      first <- newIORef NotFound
      let look !i !end
            | i < end = readIORef first >>= \known -> if known `isBefore` i then pure () else row (min end (i + inARow)) end i
            | otherwise = pure ()
          row !stop !end !i
            | i < stop = V.unsafeIndexM v i >>= \x -> if p x then note first (Found i) else row stop end (i + 1)
            | otherwise = look stop end
          block _ = do
            number <- nextTicket tickets
            let from = number * size
                end = min n (from + size)
            try (ofValue (look from) end) >>= either (judge first from) pure
      execute (shapeOf Auto 0 ((n + size - 1) `quot` size)) { shapeChunk = 1 } (\_ _ -> pure (drawChunks (inOrder block), ()))
      readIORef first >>= \known -> case known of
        NotFound -> pure Nothing
        Found i -> pure (Just i)
        Threw _ e -> throwIO e
  where
    n = V.length v
    size = max 1 (min 4096 (n `quot` 128)) -- nothing is written, so it need not be a multiple of 64
{-# INLINE parallelFindIndex #-}

-- | The number of elements between two looks at what others have found.
inARow :: Int
inARow = 16

-- | @parallelFind p v@ is @'V.find' p v@: the first element that @p@ accepts. It stops as 'parallelFindIndex' does.
--
-- >>> parallelFind even (U.fromList [3, 20, 5, 30 :: Int])
-- Just 20
--
-- @since 0.2.0
parallelFind :: Vector v a => (a -> Bool) -> v a -> Maybe a
parallelFind p v = parallelFindIndex p v >>= V.indexM v
{-# INLINE parallelFind #-}

-- | @parallelElem x v@ is @'V.elem' x v@. It stops as 'parallelFindIndex' does.
--
-- >>> parallelElem 5 (U.fromList [3, 20, 5, 30 :: Int])
-- True
--
-- @since 0.2.0
parallelElem :: (Vector v a, Eq a) => a -> v a -> Bool
parallelElem x = parallelAny (x ==)
{-# INLINE parallelElem #-}

-- | @parallelNotElem x v@ is @'V.notElem' x v@. It stops as 'parallelFindIndex' does.
--
-- >>> parallelNotElem 5 (U.fromList [3, 20, 5, 30 :: Int])
-- False
--
-- @since 0.2.0
parallelNotElem :: (Vector v a, Eq a) => a -> v a -> Bool
parallelNotElem x v = not (parallelElem x v)
{-# INLINE parallelNotElem #-}

-- | @parallelAll p v@ is @'V.all' p v@: whether @p@ accepts each element; 'True' for an empty vector. It stops at an element that @p@ rejects,
-- as 'parallelFindIndex' does at a match.
--
-- >>> parallelAll even (U.fromList [2, 4, 6 :: Int])
-- True
--
-- >>> parallelAll even (B.fromList [2, 3, error "not needed"])
-- False
--
-- @since 0.2.0
parallelAll :: Vector v a => (a -> Bool) -> v a -> Bool
parallelAll p v = isNothing (parallelFindIndex (not . p) v)
{-# INLINE parallelAll #-}

-- | @parallelAny p v@ is @'V.any' p v@: whether @p@ accepts an element; 'False' for an empty vector. It stops as 'parallelFindIndex' does.
--
-- >>> parallelAny even (U.fromList [1, 3, 5 :: Int])
-- False
--
-- @since 0.2.0
parallelAny :: Vector v a => (a -> Bool) -> v a -> Bool
parallelAny p v = isJust (parallelFindIndex p v)
{-# INLINE parallelAny #-}

-- | The first that is known of what ends a search from the left.
data First = NotFound | Found !Int | Threw !Int SomeException

isBefore :: First -> Int -> Bool
isBefore NotFound _ = False
isBefore (Found at) i = at < i
isBefore (Threw at _) i = at < i
{-# INLINE isBefore #-}

note :: IORef First -> First -> IO ()
note first new = atomicModifyIORef' first (\known -> (if known `isBefore` position then known else new, ()))
  where position = case new of
          Found i -> i
          Threw i _ -> i
          NotFound -> maxBound
{-# NOINLINE note #-}

-- | A block that begins at this index has thrown the exception. If that is its own, it counts as one of its first element, because no
-- element before the one that threw it is a match.
judge :: IORef First -> Int -> SomeException -> IO ()
judge first from e = if isOfValue e then note first (Threw from e) else throwIO e
{-# NOINLINE judge #-}
