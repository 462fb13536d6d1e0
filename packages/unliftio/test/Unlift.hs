-- | Every function of the package gives what it gives in 'IO', and each body has the state of the monad.
module Main (main) where

import Control.Applicative (Alternative (..))
import Control.Concurrent
import qualified Control.Concurrent.OpenMP.Unlift as C
import Control.Exception
import Control.Monad (void)
import Control.Monad.Trans.Class (lift)
import Control.Monad.Trans.Reader
import Control.Parallel.OpenMP.Task.Unlift
import Control.Parallel.OpenMP.Unlift
import Data.IORef
import Data.List (isInfixOf)
import qualified GHC.OpenMP.Refusal as Refusal
import Test.Tasty
import Test.Tasty.HUnit

type App = ReaderT Int IO

main :: IO ()
main = defaultMain . localOption (mkTimeout 60000000) $ testGroup "unlift"
  [ testGroup "concurrent actions"
    [ is "concurrently" (3, "2") (C.concurrently (asks (+ 1)) (asks show))
    , counted "concurrently_" 5 (\add -> C.concurrently_ (add 2) (add 3))
    , is "race" (Right 2) (C.race (lift (threadDelay 10000000)) ask)
    , is "race_" () (C.race_ (lift (threadDelay 10000000)) ask)
    , is "mapConcurrently" [3, 4, 5] (C.mapConcurrently (\x -> asks (+ x)) [1, 2, 3])
    , counted "mapConcurrently_" 6 (\add -> C.mapConcurrently_ add [1, 2, 3])
    , is "forConcurrently" [3, 4, 5] (C.forConcurrently [1, 2, 3] (\x -> asks (+ x)))
    , counted "forConcurrently_" 6 (\add -> C.forConcurrently_ [1, 2, 3] add)
    , is "replicateConcurrently" [2, 2, 2] (C.replicateConcurrently 3 ask)
    , counted "replicateConcurrently_" 12 (\add -> C.replicateConcurrently_ 4 (add 3))
    , is "Concurrently, both" (2, 4) (C.runConcurrently ((,) <$> C.Concurrently ask <*> C.Concurrently (asks (* 2))))
    , is "Concurrently, the first" 2 (C.runConcurrently (empty <|> C.Concurrently ask <|> C.Concurrently (lift (threadDelay 10000000) >> pure 0)))
    , is "Concurrently, a monoid" "22" (C.runConcurrently (C.Concurrently (asks show) <> C.Concurrently (asks show) <> mempty))
    ]
  , testGroup "traversals, loops, reductions"
    [ is "parallelMapM" [3, 4, 5] (parallelMapM (\x -> asks (+ x)) [1, 2, 3])
    , is "parallelForM" [3, 4, 5] (parallelForM [1, 2, 3] (\x -> asks (+ x)))
    , is "parallelMapMWith" [3, 4, 5] (parallelMapMWith (Dynamic 1) (\x -> asks (+ x)) [1, 2, 3])
    , is "parallelForMWith" [3, 4, 5] (parallelForMWith Static [1, 2, 3] (\x -> asks (+ x)))
    , is "parallelReplicateM" [2, 2] (parallelReplicateM 2 ask)
    , counted "parallelMapM_" 5050 (\add -> parallelMapM_ add [1 .. 100])
    , counted "parallelForM_" 5050 (\add -> parallelForM_ [1 .. 100] add)
    , counted "parallelReplicateM_" 20 (\add -> parallelReplicateM_ 10 (add 2))
    , counted "parallelFor" 4950 (\add -> parallelFor 0 100 add)
    , counted "parallelForWith" 4950 (\add -> parallelForWith (Guided 3) 0 100 add)
    , counted "parallelForChunks" 100 (\add -> parallelForChunks 0 100 (\first end -> add (end - first)))
    , counted "parallelForChunksWith" 100 (\add -> parallelForChunksWith (StaticChunk 7) 0 100 (\first end -> add (end - first)))
    , is "parallelReduce" 5150 (parallelReduce (+) 0 0 100 (\i -> asks (+ i)))
    , is "parallelReduceWith" 5150 (parallelReduceWith (Dynamic 5) (+) 0 0 100 (\i -> asks (+ i)))
    , is "parallelReduceChunks" 200 (parallelReduceChunks (+) 0 0 100 (\first end -> asks (* (end - first))))
    , is "parallelReduceChunksWith" 200 (parallelReduceChunksWith Static (+) 0 0 100 (\first end -> asks (* (end - first))))
    , testCase "a refusal names this call" $ do
        outcome <- try (runReaderT (parallelFor minBound maxBound (\_ -> pure ())) (0 :: Int))
        case outcome of
          Left e -> case filter (isInfixOf "called at") (lines (show (e :: Refusal.LoopTooLong))) of
            [line] -> assertBool line ("parallelFor, called at test/Unlift.hs" `isInfixOf` line)
            _ -> assertFailure (show e)
          Right () -> assertFailure "it was accepted"
    ]
  , testGroup "tasks"
    [ is "withTasks, spawn, wait" (2, 4) (withTasks (\g -> spawn g (asks (* 2)) >>= \t -> (,) <$> ask <*> wait t))
    , is "the state of who spawns" 9 (withTasks (\g -> local (const 9) (spawn g ask) >>= wait))
    , is "waitCatch" "arithmetic overflow" (withTasks (\g -> spawn g (lift (throwIO Overflow)) >>= waitCatch >>= \x -> pure (either show (const "" :: () -> String) x)))
    , is "poll, cancel" (True, True) $ withTasks $ \g -> do
        gate <- lift newEmptyMVar :: App (MVar ())
        t <- spawn g (lift (takeMVar gate))
        before <- poll t
        cancel t
        ended <- poll t
        lift (putMVar gate ())
        pure (maybe True (const False) before, maybe False (either (const True) (const False)) ended)
    , counted "spawn_" 6 (\add -> withTasks (\g -> mapM_ (spawn_ g . add) [1, 2, 3]))
    , is "both" (2, "2") (withTasks (\g -> both g ask (asks show)))
    ]
  ]

is :: (Eq a, Show a) => String -> a -> App a -> TestTree
is name expected action = testCase name (runReaderT action 2 >>= (@?= expected))

-- | What the bodies add, where the monad's state is what it should be.
counted :: String -> Int -> ((Int -> App ()) -> App ()) -> TestTree
counted name expected action = testCase name $ do
  sum' <- newIORef 0
  let add n = ask >>= \state -> void (lift (atomicModifyIORef' sum' (\s -> (if state == 2 then s + n else minBound, ()))))
  runReaderT (action add) 2
  readIORef sum' >>= (@?= expected)
