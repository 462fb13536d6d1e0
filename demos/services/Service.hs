-- | A web service on this machine's own address, whose author knows nothing of ghc-openmp. Its requests are pure work, an
-- OpenMP loop in C, and a matrix product by OpenBLAS with OpenMP. It starts its client (service_load.c), which sends
-- requests, verifies the answers and prints how long they took. The service ends with its client.
--
-- usage: Service THREADS [NAME=VALUE...]     CLIENT: the client's program, which gets the port and all NAME=VALUE
module Main (main) where

import Control.Monad (unless, when)
import Data.Bits (shiftR, xor, (.&.))
import qualified Data.ByteString.Char8 as Bytes
import qualified Data.ByteString.Lazy.Char8 as Lazy
import qualified Data.IntMap.Strict as IntMap
import Data.List (foldl')
import qualified Data.Text as Text
import Data.Word (Word64)
import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CInt (..))
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Ptr (Ptr)
import GHC.Conc (setNumCapabilities)
import Network.HTTP.Types (hContentLength, status200, status404)
import Network.Wai (Application, pathInfo, responseLBS)
import Network.Wai.Handler.Warp (defaultSettings, setTimeout, withApplicationSettings)
import System.Environment (getArgs, lookupEnv)
import System.Exit (ExitCode (..), die)
import System.IO (hFlush, stdout)
import System.Posix.Process (exitImmediately)
import System.Process (rawSystem)
import Text.Read (readMaybe)

foreign import ccall safe "service_begin" c_begin :: IO CInt
foreign import ccall unsafe "service_openmp" c_openmp :: IO CString
foreign import ccall safe "service_kernel" c_kernel :: Int -> IO Int
foreign import ccall safe "service_product" c_product :: Int -> Ptr Double -> IO Int

main :: IO ()
main = do
  arguments <- getArgs
  client <- lookupEnv "CLIENT" >>= maybe (die "CLIENT: expected the path of the client's program") pure
  (threads, rest) <- case arguments of
    first : rest | Just n <- readMaybe first, n >= 1 -> pure (n, rest)
    _ -> die "usage: Service THREADS [NAME=VALUE...]"
  setNumCapabilities threads
  found <- c_begin
  unless (found == 1) (die "no OpenBLAS with OpenMP threads is here (Debian: libopenblas0-openmp)")
  c_openmp >>= peekCString >>= putStrLn . ("OpenMP: " ++)
  hFlush stdout
  status <- withApplicationSettings (setTimeout 3600 defaultSettings) (pure application) $ \port ->
    rawSystem client (show port : rest)
  when (status /= ExitSuccess) (exitImmediately status) -- otherwise calls that never end would keep the process alive

application :: Application
application request respond = case map Text.unpack (pathInfo request) of
  [kind, number] | Just seed <- readMaybe number, Just work <- lookup kind works -> do
    answer <- Bytes.pack . show <$> work seed
    respond (responseLBS status200 [(hContentLength, Bytes.pack (show (Bytes.length answer)))] (Lazy.fromStrict answer))
  _ -> respond (responseLBS status404 [(hContentLength, Bytes.pack "0")] Lazy.empty)

works :: [(String, Int -> IO Int)]
works =
  [ ("pure", \seed -> pure $! pureWork seed)
  , ("kernel", c_kernel)
  , ("product", \seed -> allocaBytes (256 * 256 * 8) (c_product seed)) ]

-- | Adds up values by key in a map, and reduces the map to one number.
pureWork :: Int -> Int
pureWork seed = fromIntegral (IntMap.foldl' (\h v -> h * 31 + v) 0 sums)
  where
    sums = foldl' insert IntMap.empty [0 .. 999]
    insert m i = IntMap.insertWith (+) (fromIntegral (mix (fromIntegral seed * 1000 + i) .&. 255)) i m

mix :: Word64 -> Word64
mix i = h `xor` (h `shiftR` 32)
  where
    g = i * 0x9e3779b97f4a7c15
    h = (g `xor` (g `shiftR` 32)) * 0xd6e8feb86659fd93
