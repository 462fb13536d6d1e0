-- | Loops over the elements of a structure, which is walked while the loop runs: nobody knows how many elements there are, and those
-- that were executed may be forgotten.
--
-- Each iteration of the loop takes the next element; the one that finds none ends the loop for all.
module GHC.OpenMP.Loop.Stream (executeStream) where

import Control.Monad (void)
import Data.Foldable (toList)
import Data.IORef
import GHC.OpenMP.Loop.Primitive (replace)
import GHC.OpenMP.Loop.Run
import GHC.OpenMP.Loop.Share

-- | An action for each element, in any order. The elements are found in their order, each when a thread has nothing else to do, so
-- that the structure may be endless, or come from a file that grows.
executeStream :: Foldable t => (a -> IO b) -> t a -> IO ()
executeStream body structure = newIORef (Rest (toList structure)) >>= untilEmpty
  where
    untilEmpty source = do
      execute shapeUnknown (\_ _ -> pure (\share -> drawIterations (\_ -> next source share) share, ()))
      left <- takeNext source -- a loop has only so many iterations
      mapM_ (\x -> body x >> untilEmpty source) left
    next source share = takeNext source >>= maybe (cancel share) (void . body)
{-# INLINABLE executeStream #-}

-- | The elements that are left. It is evaluated, and what it refers to perhaps not.
data Rest a = Rest [a]

-- | The next element. An exception of the structure itself comes to whoever looks.
takeNext :: IORef (Rest a) -> IO (Maybe a)
takeNext source = readIORef source >>= \seen@(Rest elements) -> case elements of
  [] -> pure Nothing
  x : rest -> replace source seen (Rest rest) >>= \mine -> if mine then pure (Just x) else atomicModifyIORef source uncons
  where
    -- Another thread was faster.
    uncons rest@(Rest elements) = case elements of
      [] -> (rest, Nothing)
      x : others -> (Rest others, Just x)
{-# INLINE takeNext #-}
