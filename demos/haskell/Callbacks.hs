-- | C regions that call Haskell for each element, and Haskell loops that do the same work.
module Main (main) where

import Control.Exception
import Data.IORef
import Demo
import Foreign.C.Types (CDouble (..), CLong (..))
import Foreign.Ptr (FunPtr)
import GHC.OpenMP
import GHC.OpenMP.Callback
import qualified GHC.OpenMP.Settings as Settings
import Text.Printf (printf)

foreign import ccall unsafe "kernels_sum" c_sum :: Int -> IO Double
foreign import ccall safe "kernels_parallel_sum_of"
  c_parallel_sum_of :: CLong -> FunPtr (CLong -> IO CDouble) -> IO CDouble

element :: CLong -> IO CDouble
element i = pure (sin (fromIntegral i * 0.001))

main :: IO ()
main = do
  expected <- c_sum count
  let viaCallback = withCallback element (c_parallel_sum_of (fromIntegral count)) >>= right . realToFrac
      viaLoop = parallelReduce (+) 0 0 count (\i -> pure (sin (fromIntegral i * 0.001))) >>= right
      right = check "the sum" . near expected
  times <- inTurn 15
    [ Timed "a callback each, one thread" count (Settings.withNumThreads 1 viaCallback)
    , Timed "a callback each, all threads" count viaCallback
    , Timed "Haskell loop, one thread" count (Settings.withNumThreads 1 viaLoop)
    , Timed "Haskell loop, all threads" count viaLoop ]
  table (["", "one thread", "all"] : rows times)
  outcome <- newIORef "nothing"
  _ <- (withCallback failing (c_parallel_sum_of 1000) >> pure ())
         `catch` \e -> writeIORef outcome (show (e :: ArithException))
  arrived <- readIORef outcome
  printf "an exception in a callback arrives in Haskell: %s\n" arrived
  check "the exception" (arrived == "arithmetic overflow")
  where
    count = 20000 :: Int
    failing i = if i == (321 :: CLong) then throwIO Overflow else pure (0 :: CDouble)
    rows [a, b, c, d] = [ ["C loop, a callback each, ns", each a, each b]
                        , ["Haskell loop, ns", each c, each d] ]
    rows _ = []
    each t = printf "%.1f" (t * 1000 / fromIntegral count) :: String
