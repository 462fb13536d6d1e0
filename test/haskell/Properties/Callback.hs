-- | C regions that call Haskell from all their threads.
module Properties.Callback (tests) where

import Control.Exception
import Control.Monad
import Data.IORef
import Data.List (sort)
import Foreign.C.Types (CDouble (..), CLong (..))
import Foreign.Marshal.Array (peekArray, withArray, withArrayLen)
import Foreign.Ptr
import Foreign.Storable (peek, poke)
import GHC.OpenMP.Callback
import GHC.OpenMP.Runtime (resetStatistics, statistics)
import System.Info (arch)
import System.Mem (performGC)
import Test.Tasty
import Test.Tasty.HUnit

foreign import ccall safe "regions_each" c_each :: CLong -> FunPtr (CLong -> IO ()) -> IO ()
foreign import ccall safe "regions_chunks"
  c_chunks :: CLong -> CLong -> FunPtr (CLong -> CLong -> IO ()) -> IO ()
foreign import ccall safe "regions_map"
  c_map :: Ptr Double -> CLong -> FunPtr (Double -> IO Double) -> IO ()
foreign import ccall safe "regions_tasks"
  c_tasks :: Ptr (Ptr Int) -> CLong -> FunPtr (Ptr Int -> IO ()) -> IO ()

type Compare = Ptr Int -> Ptr Int -> IO CLong

foreign import ccall "wrapper" wrapCompare :: Compare -> IO (FunPtr Compare)
foreign import ccall "dynamic" callCompare :: FunPtr Compare -> Compare

foreign import ccall "dynamic" callElement :: FunPtr (CLong -> IO ()) -> CLong -> IO ()

type Many = CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> CDouble -> IO CDouble

foreign import ccall "wrapper" wrapMany :: Many -> IO (FunPtr Many)
foreign import ccall "dynamic" callMany :: FunPtr Many -> Many

many :: IORef [[CLong]] -> [CLong] -> CDouble -> IO CDouble
many seen integers x = push seen integers >> pure (fromIntegral (sum integers) + x)

tests :: TestTree
tests = testGroup "callbacks"
  [ testCase "per element" $ do
      seen <- newIORef []
      withCallback (\i -> push seen (i :: CLong)) (c_each 1000)
      sort <$> readIORef seen >>= (@?= [0 .. 999])
  , testCase "are counted" $ do
      resetStatistics
      withCallback (\i -> (i :: CLong) `seq` pure ()) (c_each 1000)
      lookup "callbacks" <$> statistics >>= (@?= Just 1000)
  , testCase "their waits are timed" $ do
      resetStatistics
      withCallback (\i -> (i :: CLong) `seq` pure ()) (c_each 1000)
      waited <- lookup "callback_wait_ns" <$> statistics
      if arch == "x86_64" then assertBool (show waited) (waited > Just 0) else waited @?= Just 0
  , testCase "more at once than are timed" $ do
      called <- newIORef []
      let nest n pointers
            | n == (300 :: CLong) = mapM_ (\p -> callElement p 0) (reverse pointers)
            | otherwise = withCallback (\i -> push called (n + i)) (\p -> nest (n + 1) (p : pointers))
      nest 0 []
      reverse <$> readIORef called >>= (@?= [0 .. 299])
      resetStatistics
      withCallback (\i -> (i :: CLong) `seq` pure ()) (c_each 100)
      lookup "callbacks" <$> statistics >>= (@?= Just 100)
  , testCase "arguments in registers and on the stack" $ do
      seen <- newIORef []
      withGuarded wrapMany (\g a b c d e f h i x -> guardCall g 0 (many seen [a, b, c, d, e, f, h, i] x)) $ \f ->
        callMany f 1 2 3 4 5 6 7 8 0.5 >>= (@?= 36.5)
      readIORef seen >>= (@?= [[1 .. 8]])
  , testCase "per chunk" $ do
      seen <- newIORef []
      withCallback (\a b -> push seen (a, b :: CLong)) (c_chunks 1000 64)
      sort <$> readIORef seen >>= (@?= [(a, min 1000 (a + 64)) | a <- [0, 64 .. 999]])
  , testCase "per task" $ withArrayLen [1 .. 200 :: Int] $ \n cells -> do
      let items = [cells `plusPtr` (8 * i) | i <- [0 .. n - 1]]
      withArray items $ \table ->
        withCallback (\cell -> peek cell >>= poke cell . (* 3)) (c_tasks table (fromIntegral n))
      peekArray n cells >>= (@?= map (* 3) [1 .. 200])
  , testCase "with a result" $ withArrayLen [0 .. 499] $ \n values -> do
      withCallback (\x -> pure (x * x :: Double)) (c_map values (fromIntegral n))
      peekArray n values >>= (@?= map (^ (2 :: Int)) [0 .. 499])
  , testCase "an exception arrives, the rest is quiet" $ do
      -- The team's last thread has the last iterations, and makes no second call after the exception.
      calls <- newIORef (0 :: Int)
      outcome <- try $ withCallback (\i -> do
        when (i >= (500 :: CLong)) $ atomicModifyIORef' calls (\n -> (n + 1, ()))
        when (i >= 500) $ throwIO Overflow) (c_each 1000)
      outcome @?= Left Overflow
      made <- readIORef calls
      assertBool (show made ++ " calls that throw") (made >= 1 && made <= 4)
  , testCase "every call throws" $ do
      outcome <- try (withCallback (\i -> throwIO (userError (show (i :: CLong)))) (c_each 1000))
      either (\e -> const (pure ()) (e :: IOException)) (const (assertFailure "no exception")) outcome
  , testCase "collections meanwhile" $ do
      count <- newIORef (0 :: Int)
      withCallback (\i -> do
        when (i `rem` 50 == (0 :: CLong)) performGC
        atomicModifyIORef' count (\n -> (n + length (show i), ()))) (c_each 500)
      readIORef count >>= (@?= length (concatMap show [0 .. 499 :: Int]))
  , testCase "a type of one's own" $ withArray [3, 5] $ \cells -> do
      let compareAt a b = (\x y -> if x < y then -1 else 1) <$> peek a <*> peek b
      withGuarded wrapCompare (\g a b -> guardCall g 0 (compareAt a b)) $ \f ->
        callCompare f cells (cells `plusPtr` 8) >>= (@?= -1)
  , testCase "guards remember" $ do
      outcome <- try $ withGuarded wrapCompare (\g _ _ -> guardCall g 7 (throwIO Overflow)) $ \f -> do
        first <- callCompare f nullPtr nullPtr
        second <- callCompare f nullPtr nullPtr
        (first, second) @?= (7, 7)
      outcome @?= Left Overflow
  ]

push :: IORef [a] -> a -> IO ()
push ref x = atomicModifyIORef' ref (\xs -> (x : xs, ()))
