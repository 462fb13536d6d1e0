{-# LANGUAGE FlexibleInstances #-}

-- | Haskell functions for C code to call, from any thread of an OpenMP team.
--
-- A naked @foreign import "wrapper"@ has two traps: an exception that leaves the function ends the
-- process, and a call of a 'FunPtr' that was freed too early crashes. Here an exception is kept,
-- and every later call returns 0 at once. When the C function has returned, the exception is thrown
-- in Haskell. The 'FunPtr' lives as long as the action that gets it.
--
-- C code must call it from a @safe@ foreign call, as always. Each call enters Haskell, which takes
-- about 0.2 µs from one thread and 0.5 µs from two at once. So let C pass chunks if it can.
-- ('GHC.OpenMP.Loop.parallelForChunks' is the reverse: a Haskell loop that calls C for each chunk.)
module GHC.OpenMP.Callback
  ( -- * Calls by element, by chunk, by task
    withCallback
  , Callback (..)
    -- * Any other type
  , Guard
  , withGuarded
  , guardCall
  , hasFailed
  ) where

import Control.Exception
import Data.IORef
import Foreign.C.Types (CDouble (..), CInt (..), CLong (..))
import Foreign.Ptr (FunPtr, Ptr, freeHaskellFunPtr)

-- $setup
-- >>> import Foreign.C.Types
-- >>> import Foreign.Ptr

-- | Keeps the first exception of an action's callbacks.
--
-- @since 0.1.0
newtype Guard = Guard (IORef (Maybe SomeException))

-- | True: a callback has thrown an exception. For callbacks that can tell C to stop.
--
-- @since 0.1.0
hasFailed :: Guard -> IO Bool
hasFailed (Guard ref) = maybe False (const True) <$> readIORef ref

-- | @guardCall guard zero call@ is @call@. If @call@ throws an exception, or an earlier call has
-- thrown one, it returns @zero@.
--
-- @since 0.1.0
guardCall :: Guard -> r -> IO r -> IO r
guardCall (Guard ref) zero call = guarded `catch` keep
  where
    guarded = mask $ \restore -> do
      c_begin
      failed <- readIORef ref
      maybe ((restore call `catch` keep) <* late) (const (pure zero)) failed
    keep e = atomicModifyIORef' ref (\first -> (maybe (Just e) Just first, zero))
    -- An exception that was thrown to this thread while it was masked, in a handler of the call for
    -- example, is kept, too.
    late = allowInterrupt `catch` \e -> keep e >> late

-- | @withGuarded wrapper guarded action@ for a callback type of your own: @wrapper@ is a
-- @foreign import ccall "wrapper"@, and @guarded@ passes its arguments on inside 'guardCall'.
--
-- > foreign import ccall "wrapper" wrapCompare :: Compare -> IO (FunPtr Compare)
-- > withGuarded wrapCompare (\guard a b -> guardCall guard 0 (compareAt a b)) $ \pointer ->
-- >   c_sort table n pointer
--
-- When @action@ has returned, the 'FunPtr' is freed, and the first exception of a call is thrown.
--
-- @since 0.1.0
withGuarded :: (f -> IO (FunPtr f)) -> (Guard -> f) -> (FunPtr f -> IO a) -> IO a
withGuarded wrapper guarded action = do
  guard@(Guard ref) <- Guard <$> newIORef Nothing
  result <- bracket (wrapper (guarded guard) >>= c_entry) (\pointer -> c_function pointer >>= freeHaskellFunPtr) action
  readIORef ref >>= maybe (pure result) throwIO

-- | The types with a wrapper in this module: elements (@void (*)(long)@), chunks (@void (*)(long,
-- long)@), tasks (@void (*)(void *)@), and functions of numbers.
--
-- @since 0.1.0
class Callback f where
  -- | Makes a C function. Use 'withCallback', which also frees it.
  newCallback :: f -> IO (FunPtr f)
  -- | The function with its calls inside 'guardCall'.
  guardCallback :: Guard -> f -> f

-- | @withCallback f action@ runs @action@ with a C function that calls @f@.
--
-- @since 0.1.0
withCallback :: Callback f => f -> (FunPtr f -> IO a) -> IO a
withCallback f = withGuarded newCallback (\guard -> guardCallback guard f)

foreign import ccall unsafe "ghcomp_callback_begin" c_begin :: IO ()
foreign import ccall unsafe "ghcomp_callback_entry" c_entry :: FunPtr f -> IO (FunPtr f)
foreign import ccall unsafe "ghcomp_callback_function" c_function :: FunPtr f -> IO (FunPtr f)

foreign import ccall "wrapper" wrapElement :: (CLong -> IO ()) -> IO (FunPtr (CLong -> IO ()))
foreign import ccall "wrapper" wrapElement32 :: (CInt -> IO ()) -> IO (FunPtr (CInt -> IO ()))
foreign import ccall "wrapper" wrapInt :: (Int -> IO ()) -> IO (FunPtr (Int -> IO ()))
foreign import ccall "wrapper" wrapChunk
  :: (CLong -> CLong -> IO ()) -> IO (FunPtr (CLong -> CLong -> IO ()))
foreign import ccall "wrapper" wrapIntChunk
  :: (Int -> Int -> IO ()) -> IO (FunPtr (Int -> Int -> IO ()))
foreign import ccall "wrapper" wrapTask :: (Ptr a -> IO ()) -> IO (FunPtr (Ptr a -> IO ()))
foreign import ccall "wrapper" wrapElementOf
  :: (CLong -> Ptr a -> IO ()) -> IO (FunPtr (CLong -> Ptr a -> IO ()))
foreign import ccall "wrapper" wrapNumber
  :: (CDouble -> IO CDouble) -> IO (FunPtr (CDouble -> IO CDouble))
foreign import ccall "wrapper" wrapDouble
  :: (Double -> IO Double) -> IO (FunPtr (Double -> IO Double))
foreign import ccall "wrapper" wrapNumberAt
  :: (CLong -> IO CDouble) -> IO (FunPtr (CLong -> IO CDouble))
foreign import ccall "wrapper" wrapCompare
  :: (Ptr a -> Ptr b -> IO CInt) -> IO (FunPtr (Ptr a -> Ptr b -> IO CInt))

instance Callback (CLong -> IO ()) where
  newCallback = wrapElement
  guardCallback guard f = guardCall guard () . f

instance Callback (CInt -> IO ()) where
  newCallback = wrapElement32
  guardCallback guard f = guardCall guard () . f

instance Callback (Int -> IO ()) where
  newCallback = wrapInt
  guardCallback guard f = guardCall guard () . f

instance Callback (CLong -> CLong -> IO ()) where
  newCallback = wrapChunk
  guardCallback guard f first end = guardCall guard () (f first end)

instance Callback (Int -> Int -> IO ()) where
  newCallback = wrapIntChunk
  guardCallback guard f first end = guardCall guard () (f first end)

instance Callback (Ptr a -> IO ()) where
  newCallback = wrapTask
  guardCallback guard f = guardCall guard () . f

instance Callback (CLong -> Ptr a -> IO ()) where
  newCallback = wrapElementOf
  guardCallback guard f i = guardCall guard () . f i

instance Callback (CDouble -> IO CDouble) where
  newCallback = wrapNumber
  guardCallback guard f = guardCall guard 0 . f

instance Callback (Double -> IO Double) where
  newCallback = wrapDouble
  guardCallback guard f = guardCall guard 0 . f

instance Callback (CLong -> IO CDouble) where
  newCallback = wrapNumberAt
  guardCallback guard f = guardCall guard 0 . f

instance Callback (Ptr a -> Ptr b -> IO CInt) where
  newCallback = wrapCompare
  guardCallback guard f a b = guardCall guard 0 (f a b)
