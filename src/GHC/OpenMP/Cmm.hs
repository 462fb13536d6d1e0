-- | Cmm inside of a Haskell module.
--
-- > {-# LANGUAGE GHCForeignImportPrim, MagicHash, QuasiQuotes, UnboxedTuples, UnliftedFFITypes #-}
-- > import GHC.Exts
-- > import GHC.OpenMP.Cmm
-- >
-- > [cmm| plus# :: Word# -> Word# -> Word#
-- > (W_ a, W_ b) {
-- >     return (a + b);
-- > }
-- > |]
--
-- The first line is the name and the type, on one line, as in Haskell, without a context; what follows is the argument list
-- and the body of a Cmm procedure, with @Cmm.h@ included. It is compiled when the module is, by the same
-- version of GHC, and linked into it; the quotation becomes a @foreign import prim@. Errors of the Cmm
-- compiler name the Haskell file and its line.
--
-- Which GHC: @GHCOMP_GHC@ names one; else @ghc-VERSION@, else @ghc@, of the version that compiles the
-- module. In GHCi, @-fobject-code@ is needed: bytecode has no primitive imports.
module GHC.OpenMP.Cmm
  ( cmm
  ) where

import Control.Exception (bracket)
import Control.Monad (filterM)
import Data.Char (isAlphaNum, isLower, isSpace)
import Data.List (dropWhileEnd, intercalate, isPrefixOf)
import Data.Version (showVersion)
import Language.Haskell.TH
import Language.Haskell.TH.Quote (QuasiQuoter (..))
import Language.Haskell.TH.Syntax (ForeignSrcLang (LangAsm), addForeignSource)
import System.Directory
import System.Environment (lookupEnv)
import System.Exit (ExitCode (..))
import System.FilePath ((</>))
import System.Info (fullCompilerVersion)
import System.IO.Error (catchIOError)
import System.Process (readProcessWithExitCode)

-- | Quotes declarations; see the head of this module.
--
-- @since 0.1.0
cmm :: QuasiQuoter
cmm = QuasiQuoter
  { quoteDec = declare
  , quoteExp = const refused
  , quotePat = const refused
  , quoteType = const refused
  }
  where refused = fail "GHC.OpenMP.Cmm.cmm: a [cmm| |] quotation is a declaration, and stands at top level"

-- | One procedure: its import, after its code was compiled and handed to the linker.
declare :: String -> Q [Dec]
declare text = do
  place <- location
  (header, offset, body) <- maybe (fail (expected "nothing")) pure (splitHeader text)
  (name, signature) <- either fail pure (parseHeader header)
  let line = fst (loc_start place) + offset
      symbol = "ghcomp_cmm_" ++ mangle (loc_package place ++ "_" ++ loc_module place ++ "_" ++ name)
  code <- runIO (compileCmm (loc_filename place) line symbol body) >>= either fail pure
  addForeignSource LangAsm code
  pure [ForeignD (ImportF Prim Safe symbol (mkName name) signature)]

expected :: String -> String
expected got = "GHC.OpenMP.Cmm.cmm: got " ++ got ++ ", expected a line `name :: type' and then a Cmm procedure"
  ++ " without its name, `(W_ a, W_ b) { ... }'"

-- | The first line that is not blank, how many lines further the body begins, and the body.
splitHeader :: String -> Maybe (String, Int, String)
splitHeader text = case break (not . all isSpace . snd) (zip [1 ..] (lines text)) of
  (_, (n, header) : rest) -> Just (header, n, unlines (map snd rest))
  _ -> Nothing

-- | Distinct names stay distinct.
mangle :: String -> String
mangle = concatMap (\c -> if isAlphaNum c && fromEnum c < 128 then [c] else '_' : show (fromEnum c) ++ "_")

-- ---------------------------------------------------------------------------------- types

parseHeader :: String -> Either String (String, Type)
parseHeader header = case tokens header of
  name : "::" : rest -> case parseSignature rest of
    Just (t, []) -> Right (name, t)
    _ -> Left (expected (show (trim header)))
  _ -> Left (expected (show (trim header)))
  where trim = dropWhileEnd isSpace . dropWhile isSpace

tokens :: String -> [String]
tokens text = case dropWhile isSpace text of
  "" -> []
  s | Just symbol <- first s -> symbol : tokens (drop (length symbol) s)
    | otherwise -> let (word, rest) = span (\c -> isAlphaNum c || c `elem` "_'.#") s
                   in if null word then [take 1 s] ++ tokens (drop 1 s) else word : tokens rest
  where first s = case filter (`isPrefixOf` s) ["::", "->", "(#", "#)", "(", ")", ","] of
          symbol : _ -> Just symbol
          [] -> Nothing

-- | A type, after the variables that it quantifies, where it names them.
parseSignature :: [String] -> Maybe (Type, [String])
parseSignature ts = case ts of
  "forall" : rest | (names, dotted : body) <- break ((== '.') . last) rest -> do
    (t, end) <- parseType body
    let variables = filter (not . null) (names ++ [init dotted])
    Just (ForallT [PlainTV (mkName v) SpecifiedSpec | v <- variables] [] t, end)
  _ -> parseType ts

-- | Arrows to the right, application to the left, unboxed tuples.
parseType :: [String] -> Maybe (Type, [String])
parseType ts = do
  (a, rest) <- parseApplication ts
  case rest of
    "->" : more -> do
      (b, end) <- parseType more
      Just (AppT (AppT ArrowT a) b, end)
    _ -> Just (a, rest)

parseApplication :: [String] -> Maybe (Type, [String])
parseApplication ts = parseAtom ts >>= uncurry more
  where more f rest = case parseAtom rest of
          Just (x, rest') -> more (AppT f x) rest'
          Nothing -> Just (f, rest)

parseAtom :: [String] -> Maybe (Type, [String])
parseAtom ts = case ts of
  "(#" : rest -> do
    (parts, end) <- parseTuple rest
    Just (foldl AppT (UnboxedTupleT (length parts)) parts, end)
  "(" : rest -> parseType rest >>= \r -> case r of
    (t, ")" : end) -> Just (t, end)
    _ -> Nothing
  word@(c : _) : rest | isAlphaNum c -> Just ((if isLower c then VarT else ConT) (mkName word), rest)
  _ -> Nothing

parseTuple :: [String] -> Maybe ([Type], [String])
parseTuple ts = parseType ts >>= \r -> case r of
  (t, "," : rest) -> parseTuple rest >>= \(more, end) -> Just (t : more, end)
  (t, "#)" : end) -> Just ([t], end)
  _ -> Nothing

-- ---------------------------------------------------------------------------------- the compiler

-- | Assembler text, or what the compiler said.
compileCmm :: FilePath -> Int -> String -> String -> IO (Either String String)
compileCmm file line symbol body = findGhc >>= either (pure . Left) compileWith
  where
    compileWith ghc = inTemporaryFolder $ \folder -> do
      let source = folder </> "quotation.cmm"
          assembler = folder </> "quotation.s"
      writeFile source $ intercalate "\n"
        ["#include \"Cmm.h\"", symbol, "#line " ++ show line ++ " " ++ show file, body]
      (status, out, err) <- readProcessWithExitCode ghc ["-v0", "-S", "-fPIC", "-o", assembler, source] ""
      case status of
        ExitSuccess -> Right <$> (readFile assembler >>= \text -> length text `seq` pure text)
        ExitFailure _ -> pure (Left (out ++ err))

-- | One of the version that compiles this module: another one has another calling convention.
findGhc :: IO (Either String FilePath)
findGhc = do
  given <- lookupEnv "GHCOMP_GHC"
  let candidates = maybe ["ghc-" ++ wanted, "ghc"] pure given
  found <- filterM hasVersion candidates
  pure $ case found of
    ghc : _ -> Right ghc
    [] -> Left $ "GHC.OpenMP.Cmm.cmm: got no GHC " ++ wanted ++ " among " ++ intercalate ", " candidates
      ++ ", expected the one that compiles this module; name it in the environment variable GHCOMP_GHC"
  where
    wanted = showVersion fullCompilerVersion
    hasVersion ghc = (matches <$> readProcessWithExitCode ghc ["--numeric-version"] "")
      `catchIOError` const (pure False)
    matches (status, out, _) = status == ExitSuccess && takeWhile (not . isSpace) out == wanted

inTemporaryFolder :: (FilePath -> IO a) -> IO a
inTemporaryFolder = bracket make removeDirectoryRecursive
  where
    make = getTemporaryDirectory >>= \base -> try' base (0 :: Int)
    try' base n = do
      let folder = base </> ("ghcomp-cmm-" ++ show n)
      (createDirectory folder >> pure folder) `catchIOError` \e ->
        if n < 10000 then try' base (n + 1) else ioError e
