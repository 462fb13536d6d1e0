-- | A batch gives the same results as its calls one by one, also beside exceptions and other threads.
module Properties.Batch (tests) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import Data.List (isInfixOf)
import qualified Data.List as List
import qualified Data.Map.Strict as Map
import qualified Data.Vector.Storable as V
import Foreign.Ptr
import GHC.OpenMP.Batch
import GHC.OpenMP.Callback (withCallback)
import System.Mem (performGC)
import System.Timeout (timeout)
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck

foreign import ccall "&calls_note" p_note :: FunPtr (Int -> IO ())
foreign import ccall unsafe "calls_noted" c_noted :: IO Int
foreign import ccall "&calls_nothing" p_nothing :: FunPtr (IO Int)
foreign import ccall "&calls_halve" p_halve :: FunPtr (Double -> IO Double)
foreign import ccall unsafe "calls_halve" c_halve :: Double -> Double
foreign import ccall "&calls_twice" p_twice :: FunPtr (Int -> IO Int)
foreign import ccall "&calls_mixed" p_mixed :: FunPtr (Double -> Int -> Double -> Int -> IO Double)
foreign import ccall unsafe "calls_mixed" c_mixed :: Double -> Int -> Double -> Int -> Double
foreign import ccall "&calls_words" p_words :: FunPtr (Int -> Int -> Int -> IO Int)
foreign import ccall unsafe "calls_words" c_words :: Int -> Int -> Int -> Int
foreign import ccall "&calls_slow" p_slow :: FunPtr (Int -> IO Int)
foreign import ccall "&calls_back" p_back :: FunPtr (FunPtr (Double -> IO Double) -> Double -> IO Double)

type Many = Int -> Double -> Int -> Double -> Int -> Double -> Int -> Double -> Int -> Double -> Int
         -> Double -> Double -> Double -> IO Double

foreign import ccall "&calls_many" p_many :: FunPtr Many

tests :: TestTree
tests = testGroup "batch"
  [ testProperty "no argument" $ \(NonNegative n) -> ioProperty $
      (=== V.replicate n 7) <$> batched p_nothing n
  , testProperty "no result, in order" $ \xs -> ioProperty $ do
      batched p_note (length xs) (Each (V.fromList xs))
      noted <- c_noted
      pure (noted === List.foldl' (\s x -> s * 31 + x) 0 xs)
  , testProperty "a double" $ \xs -> ioProperty $
      (=== map c_halve xs) . V.toList <$> batched p_halve (length xs) (Each (V.fromList xs))
  , testProperty "a range" $ \(NonNegative n) from -> ioProperty $
      (=== map (* 2) (take n [from ..])) . V.toList <$> batched p_twice n (From from)
  , testProperty "words and doubles in turn" $ \rows c d -> ioProperty $
      (=== [c_mixed a b c d | (a, b) <- rows]) . V.toList <$>
        batched p_mixed (length rows) (Each (V.fromList (map fst rows))) (Each (V.fromList (map snd rows)))
          (Always c) (Always d)
  , testProperty "three words" $ \xs b -> ioProperty $
      (=== zipWith (\i x -> c_words i b x) [5 ..] xs) . V.toList <$>
        batched p_words (length xs) (From 5) (Always b) (Each (V.fromList xs))
  , testCase "every register" everyRegister
  , testCase "many calls, in pieces" $ do
      sums <- batched p_twice 2000000 (From 0)
      V.sum sums @?= 2000000 * 1999999
  , testCase "collections and allocation meanwhile" collections
  , testCase "callbacks" callbacks
  , testCase "timeout on a long batch" longBatch
  , refused "a column of another length" "got a column of 2 elements, expected one for each of 3 calls; no call was made"
      (batched p_twice 3 (Each (V.fromList [1, 2])) >> pure ())
  , refused "a negative number" "-1 calls" (batched p_twice (-1) (From 0) >> pure ())
  , refused "a double from" "From for a double" (batched p_halve 3 (From 0) >> pure ())
  ]

refused :: String -> String -> IO () -> TestTree
refused name message action = testCase name $ do
  outcome <- try action
  case outcome of
    Left e -> assertBool (show e) (all (`isInfixOf` show (e :: BadArgument)) [message, "batched, called at", "Batch.hs"])
    Right () -> assertFailure "it was accepted"

everyRegister :: Assertion
everyRegister = do
  found <- batched p_many 3 (From 0) (Always 1) (Always 2) (Each (V.fromList [1, 2, 3])) (Always 3) (Always 2)
    (Always 4) (Always 3) (Always 5) (Always 4) (Always 6) (Always 5) (Always 6) (Always 7)
  V.toList found @?= [expected i (fromIntegral (i + 1)) | i <- [0 .. 2 :: Int]]
  where
    expected i q = fromIntegral i + 4 + 9 + 16 + 25 + 36 + 7 + 8 * q + 18 + 30 + 44 + 60 + 78 + 98 :: Double

collections :: Assertion
collections = do
  stop <- newIORef False
  finished <- forM [1 .. 3 :: Int] $ \k -> do
    done <- newEmptyMVar
    _ <- forkIO $ do
      let go n = do
            let m = Map.fromList [(i, i * k) | i <- [1 .. 500 + n]]
            added <- evaluate (sum (Map.elems m))
            unless (added == k * sum [1 .. 500 + n]) (throwIO (userError "the heap is broken"))
            over <- readIORef stop
            unless over (go ((n + 1) `rem` 50))
      go 0 `catch` \e -> putMVar done (Left (e :: SomeException))
      _ <- tryPutMVar done (Right ())
      pure ()
    pure done
  forM_ [1 .. 40 :: Int] $ \i -> do
    found <- batched p_slow 100 (Always 2000)
    when (i `rem` 8 == 0) performGC
    twice <- batched p_twice 1000 (From i)
    (V.length found, V.toList twice) @?= (100, map (* 2) [i .. i + 999])
  writeIORef stop True
  mapM_ (takeMVar >=> either throwIO pure) finished

callbacks :: Assertion
callbacks = do
  found <- withCallback (\x -> performGC >> pure (x + 1 :: Double)) $ \f ->
    batched p_back 20 (Always f) (Each (V.fromList [1 .. 20]))
  V.toList found @?= [2 .. 21]
  outcome <- try (withCallback (\x -> if x > 10 then throwIO Overflow else pure (x :: Double)) $ \f ->
    batched p_back 20 (Always f) (Each (V.fromList [1 .. 20])))
  either (@?= Overflow) (const (assertFailure "no exception")) outcome

longBatch :: Assertion
longBatch = do
  outcome <- timeout 30000 (batched p_slow 100000000 (Always 1000))
  maybe (pure ()) (const (assertFailure "it ran to its end")) outcome
