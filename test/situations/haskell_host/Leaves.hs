module Main (main) where
foreign import ccall safe "leaves_region" c_region :: IO Int
main :: IO ()
main = c_region >>= print
