-- | What the package @async@ has for actions that run at the same time, under its names and with its types and laws, on the pool that
-- loops and C code use. A program that uses these changes one import.
--
-- Every action is promised a thread: however many there are, all of them make progress, and they may wait for each other. But an
-- action gets a thread of its own only when another one does not go on: one thread that the call starts, and workers of the pool while
-- Capabilities are free, execute one action after the other. An action that waits, or is in a @safe@ call, gives its place to the next one
-- at once, and one that computes for longer than a time slice (20 ms) while other threads want its Capability does so then.
--
-- * The first exception ends the call, whether an action throws it or another thread throws it to the caller, whatever its type. The
--   other actions get t'GHC.OpenMP.Loop.TaskCancelled' where @async@ throws @AsyncCancelled@. It is thrown when all have ended. Nothing
--   of a call runs after it has returned or thrown. What nothing interrupts: C code, 'Control.Exception.uninterruptibleMask', loops that
--   do not allocate.
-- * Actions run in the caller's masking state. Results are not evaluated. Where the caller has masked exceptions, each action has a thread of
--   its own, as with @async@, so that it begins also if the call ends before: it is ended at the first point where it can be interrupted,
--   and what it does with 'Control.Exception.finally' is done.
-- * No action runs in the calling thread. So what is thrown to that thread, as by 'System.Timeout.timeout', is for the call, and strikes no
--   action, which may have a handler for it.
-- * What differs from @async@: several actions may have one thread, one after the other. So 'Control.Concurrent.myThreadId' does not
--   identify an action.
-- * Cost: a call of two short actions takes about what it takes with @async@, 1 to 2 us; with several Capabilities 2 to 7 us, because it calls
--   a worker, which may sleep. In a bound thread, such as the main one, both packages take 20 to 100 us: the system changes threads
--   twice. More actions need few threads: five take less than half of the time, a thousand a tenth or less. Calls in calls, as in divide
--   and conquer by pairs, take a third with one Capability. An action that waits takes up to twice what a thread takes.
--
-- @since 0.2.0
module Control.Concurrent.OpenMP
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
import Control.Concurrent (forkIO, threadDelay)
import Control.Concurrent.MVar
import Control.Exception
import Control.Monad (forM, forM_, forever, void, when)
import Data.IORef
import Data.Maybe (isNothing)
import GHC.OpenMP.Loop.Elements
import GHC.OpenMP.Loop.Ended (newExecutorOf, throwEnd)
import GHC.OpenMP.Loop.Primitive (awaitMVar, inState)
import GHC.OpenMP.Loop.Run (executeAtOnce, shapeOf)
import GHC.OpenMP.Loop.Share (drawActions)
import GHC.OpenMP.Schedule

-- $setup
-- >>> import Control.Concurrent
-- >>> import Control.Exception

-- | Both actions, and both results.
--
-- >>> hand <- newEmptyMVar :: IO (MVar Char)
-- >>> concurrently (takeMVar hand) (putMVar hand 'a' >> pure 1)
-- ('a',1)
--
-- @since 0.2.0
concurrently :: IO a -> IO b -> IO (a, b)
concurrently first second = do
  a <- newIORef (error "Control.Concurrent.OpenMP: an action without a result")
  b <- newIORef (error "Control.Concurrent.OpenMP: an action without a result")
  atOnce 2 (\i -> if i == 0 then first >>= writeIORef a else second >>= writeIORef b)
  (,) <$> readIORef a <*> readIORef b

-- | Both actions, without results.
--
-- @since 0.2.0
concurrently_ :: IO a -> IO b -> IO ()
concurrently_ first second = atOnce 2 (\i -> if i == 0 then void first else void second)

-- | Both actions, until one of them ends. The other one is ended.
--
-- >>> race (threadDelay 10000000) (pure 'b')
-- Right 'b'
--
-- >>> race (throwIO Overflow) (threadDelay 10000000) :: IO (Either () ())
-- *** Exception: arithmetic overflow
--
-- @since 0.2.0
race :: IO a -> IO b -> IO (Either a b)
race first second = do
  result <- newIORef Nothing
  token <- newIORef ()
  let ends x = do
        isFirst <- atomicModifyIORef' result (\known -> (maybe (Just x) Just known, isNothing known))
        when isFirst (throwIO (Ended token)) -- else that is under way
      won = readIORef result >>= maybe (error "Control.Concurrent.OpenMP: a race without a winner") pure
  handleJust (\(Ended it) -> if it == token then Just () else Nothing) (\() -> won) $ do
    atOnce 2 (\i -> if i == 0 then first >>= ends . Left else second >>= ends . Right)
    won

-- | What ends a race. It does not leave it.
newtype Ended = Ended (IORef ())

instance Show Ended where
  show (Ended _) = "Control.Concurrent.OpenMP: ended, because the other action of a race has ended"

instance Exception Ended

-- | 'race' without results.
--
-- @since 0.2.0
race_ :: IO a -> IO b -> IO ()
race_ first second = void (race first second)

-- | @atOnce n body@ executes @body i@ for @0 <= i < n@.
atOnce :: Int -> (Int -> IO ()) -> IO ()
atOnce n body
  | n <= 0 = pure ()
  | otherwise = getMaskingState >>= \state -> case state of
      Unmasked -> executeAtOnce (shapeOf Auto 0 n) (drawActions body)
      _ -> inThreads state (map body [0 .. n - 1])

-- | The actions in this masking state, which is not 'Unmasked', each in a thread of its own: so each begins, whatever the others do, and
-- what one does after an exception may wait for what another one does then.
inThreads :: MaskingState -> [IO ()] -> IO ()
inThreads state actions = do
  left <- newIORef (length actions)
  failed <- newEmptyMVar :: IO (MVar SomeException) -- the first one
  news <- newEmptyMVar   -- one has failed, or all have ended
  over <- newEmptyMVar   -- all have ended
  let report x = do
        mapM_ (\e -> tryPutMVar failed e >> tryPutMVar news ()) (either Just (const Nothing) x)
        others <- atomicModifyIORef' left (\k -> (k - 1, k - 1))
        when (others == 0) (putMVar over () >> void (tryPutMVar news ()))
  threads <- forM actions (\action -> forkIO (try (inState state action) >>= report))
  interrupted <- try (awaitMVar (takeMVar news))
  first <- tryReadMVar failed
  case (interrupted, first) of
    (Right (), Nothing) -> pure ()
    (outcome, _) -> do
      token <- newIORef ()
      forM_ threads (\thread -> newExecutorOf thread >>= forkIO . throwEnd token)
      uninterruptibleMask_ (awaitMVar (takeMVar over))
      either throwIO (const (takeMVar failed >>= throwIO)) (outcome :: Either SomeException ())

-- ---------------------------------------------------------------------------------- many actions

-- | An action for each element, and the structure of their results.
--
-- >>> doors <- mapM (const (newEmptyMVar :: IO (MVar ()))) [1 .. 4 :: Int]
-- >>> mapConcurrently (\(mine, next) -> putMVar next () >> takeMVar mine) (zip doors (drop 1 (cycle doors)))
-- [(),(),(),()]
--
-- @since 0.2.0
mapConcurrently :: Traversable t => (a -> IO b) -> t a -> IO (t b)
mapConcurrently = traverseIn atOnce

-- | 'mapConcurrently' without results.
--
-- @since 0.2.0
mapConcurrently_ :: Foldable t => (a -> IO b) -> t a -> IO ()
mapConcurrently_ = traverseIn_ atOnce

-- | 'mapConcurrently' with its arguments in the other order.
--
-- @since 0.2.0
forConcurrently :: Traversable t => t a -> (a -> IO b) -> IO (t b)
forConcurrently = flip mapConcurrently

-- | 'mapConcurrently_' with its arguments in the other order.
--
-- @since 0.2.0
forConcurrently_ :: Foldable t => t a -> (a -> IO b) -> IO ()
forConcurrently_ = flip mapConcurrently_

-- | So many times the same action, at the same time.
--
-- >>> replicateConcurrently 3 (pure 'a')
-- "aaa"
--
-- @since 0.2.0
replicateConcurrently :: Int -> IO a -> IO [a]
replicateConcurrently n action = mapConcurrently (const action) [1 .. n]

-- | 'replicateConcurrently' without results.
--
-- @since 0.2.0
replicateConcurrently_ :: Int -> IO a -> IO ()
replicateConcurrently_ n action = atOnce n (\_ -> void action)

-- ---------------------------------------------------------------------------------- an applicative functor

-- | Actions that are combined by '<*>' are executed at the same time, and of those that are combined by '<|>' the first one to end
-- gives the result.
--
-- >>> runConcurrently ((,) <$> Concurrently (pure 1) <*> Concurrently (pure 'a'))
-- (1,'a')
--
-- >>> runConcurrently (Concurrently (threadDelay 10000000 >> pure 'a') <|> pure 'b')
-- 'b'
--
-- @since 0.2.0
newtype Concurrently a = Concurrently { runConcurrently :: IO a }

instance Functor Concurrently where
  fmap f (Concurrently action) = Concurrently (fmap f action)

instance Applicative Concurrently where
  pure = Concurrently . pure
  Concurrently f <*> Concurrently x = Concurrently (uncurry ($) <$> concurrently f x)

-- | 'empty' never ends.
instance Alternative Concurrently where
  empty = Concurrently (forever (threadDelay maxBound))
  Concurrently a <|> Concurrently b = Concurrently (either id id <$> race a b)

instance Semigroup a => Semigroup (Concurrently a) where
  a <> b = (<>) <$> a <*> b

instance Monoid a => Monoid (Concurrently a) where
  mempty = pure mempty
