-- | "Control.Concurrent.OpenMP" for actions of any 'MonadUnliftIO'. Each function calls the one with its name there, whose page says what it
-- costs, what exceptions do and what differs from @async@. The names are those of @UnliftIO.Async@, too.
--
-- >>> runReaderT (concurrently (asks (+ 1)) (asks show)) (1 :: Int)
-- (2,"1")
--
-- @since 0.2.0
module Control.Concurrent.OpenMP.Unlift
  ( concurrently
  , concurrently_
  , race
  , race_
    -- * Many actions
  , mapConcurrently
  , mapConcurrently_
  , forConcurrently
  , forConcurrently_
  , replicateConcurrently
  , replicateConcurrently_
    -- * As an applicative functor
  , Concurrently (..)
  ) where

import Control.Applicative (Alternative (..))
import qualified Control.Concurrent.OpenMP as Pool
import Control.Monad.IO.Unlift

-- $setup
-- >>> import Control.Monad.Trans.Reader

-- | Both actions, and both results.
--
-- @since 0.2.0
concurrently :: MonadUnliftIO m => m a -> m b -> m (a, b)
concurrently first second = withRunInIO $ \run -> Pool.concurrently (run first) (run second)

-- | Both actions, without results.
--
-- @since 0.2.0
concurrently_ :: MonadUnliftIO m => m a -> m b -> m ()
concurrently_ first second = withRunInIO $ \run -> Pool.concurrently_ (run first) (run second)

-- | Both actions, until one of them ends. The other one is ended.
--
-- @since 0.2.0
race :: MonadUnliftIO m => m a -> m b -> m (Either a b)
race first second = withRunInIO $ \run -> Pool.race (run first) (run second)

-- | 'race' without results.
--
-- @since 0.2.0
race_ :: MonadUnliftIO m => m a -> m b -> m ()
race_ first second = withRunInIO $ \run -> Pool.race_ (run first) (run second)

-- | An action for each element, and the structure of their results.
--
-- @since 0.2.0
mapConcurrently :: (MonadUnliftIO m, Traversable t) => (a -> m b) -> t a -> m (t b)
mapConcurrently f xs = withRunInIO $ \run -> Pool.mapConcurrently (run . f) xs

-- | 'mapConcurrently' without results.
--
-- @since 0.2.0
mapConcurrently_ :: (MonadUnliftIO m, Foldable t) => (a -> m b) -> t a -> m ()
mapConcurrently_ f xs = withRunInIO $ \run -> Pool.mapConcurrently_ (run . f) xs

-- | 'mapConcurrently' with its arguments in the other order.
--
-- @since 0.2.0
forConcurrently :: (MonadUnliftIO m, Traversable t) => t a -> (a -> m b) -> m (t b)
forConcurrently = flip mapConcurrently

-- | 'mapConcurrently_' with its arguments in the other order.
--
-- @since 0.2.0
forConcurrently_ :: (MonadUnliftIO m, Foldable t) => t a -> (a -> m b) -> m ()
forConcurrently_ = flip mapConcurrently_

-- | So many times the same action, at the same time.
--
-- @since 0.2.0
replicateConcurrently :: MonadUnliftIO m => Int -> m a -> m [a]
replicateConcurrently n action = withRunInIO $ \run -> Pool.replicateConcurrently n (run action)

-- | 'replicateConcurrently' without results.
--
-- @since 0.2.0
replicateConcurrently_ :: MonadUnliftIO m => Int -> m a -> m ()
replicateConcurrently_ n action = withRunInIO $ \run -> Pool.replicateConcurrently_ n (run action)

-- | Actions that are combined by '<*>' are executed at the same time, and of those that are combined by '<|>' the first one to end gives the
-- result.
--
-- @since 0.2.0
newtype Concurrently m a = Concurrently { runConcurrently :: m a }

instance Functor m => Functor (Concurrently m) where
  fmap f (Concurrently action) = Concurrently (fmap f action)

instance MonadUnliftIO m => Applicative (Concurrently m) where
  pure = Concurrently . pure
  Concurrently f <*> Concurrently x = Concurrently (uncurry ($) <$> concurrently f x)

-- | 'empty' never ends.
instance MonadUnliftIO m => Alternative (Concurrently m) where
  empty = Concurrently (liftIO (Pool.runConcurrently empty))
  Concurrently a <|> Concurrently b = Concurrently (either id id <$> race a b)

instance (MonadUnliftIO m, Semigroup a) => Semigroup (Concurrently m a) where
  a <> b = (<>) <$> a <*> b

instance (MonadUnliftIO m, Monoid a) => Monoid (Concurrently m a) where
  mempty = pure mempty
