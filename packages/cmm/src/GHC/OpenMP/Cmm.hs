{-# LANGUAGE Unsafe #-}

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
-- The first line has the name and the type, on one line, as in Haskell, without a context. The
-- argument list and the body of a Cmm procedure follow, with @Cmm.h@ included. The same version of
-- GHC compiles it together with the module, and it is linked into the module. The quotation becomes
-- a @foreign import prim@. Errors of the Cmm compiler name the Haskell file and its line.
--
-- Nothing checks what the body does, so a @Safe@ module cannot import this one.
--
-- If the module is compiled with @-prof@, so is the body, with @PROFILING@ defined, as in @Cmm.h@.
--
-- Which GHC compiles it: the one that @GHCOMP_GHC@ names; otherwise @ghc-VERSION@, then @ghc@, then
-- the GHC that is running. It must have the version that compiles the module. In GHCi,
-- @-fobject-code@ is needed: bytecode has no primitive imports.
module GHC.OpenMP.Cmm
  ( cmm
  ) where

import Control.Exception (bracket)
import Control.Monad (filterM)
import Data.Char (isAlphaNum, isLower, isSpace)
import Data.List (dropWhileEnd, intercalate, isPrefixOf)
import Data.Maybe (listToMaybe)
import Data.Version (showVersion)
import Language.Haskell.TH
import Language.Haskell.TH.Quote (QuasiQuoter (..))
import Language.Haskell.TH.Syntax (ForeignSrcLang (LangC), addForeignSource)
import System.Directory
import System.Environment (getArgs, getExecutablePath, lookupEnv)
import System.Exit (ExitCode (..))
import System.FilePath (takeFileName, (</>))
import System.Info (fullCompilerVersion)
import System.IO.Error (catchIOError)
import System.Process (readProcessWithExitCode)

-- | Quotes declarations; see the beginning of this module.
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

-- | One procedure: compiles its code, gives that to the linker, and returns its import.
declare :: String -> Q [Dec]
declare text = do
  place <- location
  (header, offset, body) <- maybe (fail (expected "nothing")) pure (splitHeader text)
  (name, signature) <- either fail pure (parseHeader header)
  let line = fst (loc_start place) + offset
      symbol = "ghcomp_cmm_" ++ mangle (loc_package place ++ "_" ++ loc_module place ++ "_" ++ name)
  code <- runIO (compileCmm (loc_filename place) line symbol body) >>= either fail pure
  addForeignSource LangC code
  pure [ForeignD (ImportF Prim Safe symbol (mkName name) signature)]

expected :: String -> String
expected got = "GHC.OpenMP.Cmm.cmm: got " ++ got ++ ", expected a line `name :: type' and then a Cmm procedure"
  ++ " without its name, `(W_ a, W_ b) { ... }'"

-- | The first line that is not blank, the number of lines before the body, and the body.
splitHeader :: String -> Maybe (String, Int, String)
splitHeader text = case break (not . all isSpace . snd) (zip [1 ..] (lines text)) of
  (_, (n, header) : rest) -> Just (header, n, unlines (map snd rest))
  _ -> Nothing

-- | A name for C. Different names stay different.
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

-- | A type, after the variables that it quantifies, if it names them.
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

-- | A GHC: its program, and the options that it always needs.
data Ghc = Ghc FilePath [String]

runGhc :: Ghc -> [String] -> IO (ExitCode, String, String)
runGhc (Ghc program always) arguments = readProcessWithExitCode program (always ++ arguments) ""

-- | C text, or the compiler's message. This code cannot know whether the module is compiled with
-- -prof, which changes closures and calls; the C compiler is told.
compileCmm :: FilePath -> Int -> String -> String -> IO (Either String String)
compileCmm file line symbol body = findGhc >>= either (pure . Left) compileBoth
  where
    compileBoth ghc = do
      usual <- compileWith ghc []
      profiled <- compileWith ghc ["-prof"]
      pure ((\text -> unlines (["#ifdef PROFILING"] ++ either refusal asAssembler profiled ++ ["#else"] ++ asAssembler text ++ ["#endif"])) <$> usual)
    refusal said = ["#error \"GHC.OpenMP.Cmm.cmm: compiled with -prof: " ++ filter (`notElem` "\"\\") (unwords (lines said)) ++ "\""]
    compileWith ghc options = inTemporaryFolder $ \folder -> do
      let source = folder </> "quotation.cmm"
          assembler = folder </> "quotation.s"
      writeFile source $ intercalate "\n"
        ["#include \"Cmm.h\"", symbol, "#line " ++ show line ++ " " ++ show file, body]
      (status, out, err) <- runGhc ghc (["-v0", "-S", "-fPIC", "-o", assembler] ++ options ++ [source])
      case status of
        ExitSuccess -> Right <$> (readFile assembler >>= \text -> length text `seq` pure text)
        ExitFailure _ -> pure (Left (out ++ err))

-- | Lines of C that pass the lines of assembler on, and return to the section of C code.
asAssembler :: String -> [String]
asAssembler text = ["__asm__("] ++ map quoted (lines text ++ [".text"]) ++ [");"]
  where
    quoted l = "\"" ++ concatMap escaped l ++ "\\n\""
    escaped c = case c of
      '"' -> "\\\""
      '\\' -> "\\\\"
      '\t' -> "\\t"
      _ -> [c]

-- | A GHC of the version that compiles this module, because another version may have another
-- calling convention.
findGhc :: IO (Either String Ghc)
findGhc = do
  given <- lookupEnv "GHCOMP_GHC"
  own <- maybe ownGhc (const (pure [])) given
  let names = maybe ["ghc-" ++ wanted, "ghc"] pure given
  found <- filterM hasVersion ([Ghc name [] | name <- names] ++ own)
  pure $ maybe (Left (none names)) Right (listToMaybe found)
  where
    wanted = showVersion fullCompilerVersion
    none names = "GHC.OpenMP.Cmm.cmm: got no GHC " ++ wanted ++ " among " ++ intercalate ", " names
      ++ ", expected the one that compiles this module; name it in the environment variable GHCOMP_GHC"
    hasVersion ghc = (matches <$> runGhc ghc ["--numeric-version"]) `catchIOError` const (pure False)
    matches (status, out, _) = status == ExitSuccess && takeWhile (not . isSpace) out == wanted
    -- A program that contains GHC's library, but is not GHC, must not be started again.
    ownGhc = do
      program <- getExecutablePath
      arguments <- getArgs
      pure [ Ghc program (filter ("-B" `isPrefixOf`) arguments)
           | takeFileName program `elem` ["ghc", "ghc-" ++ wanted] ]

inTemporaryFolder :: (FilePath -> IO a) -> IO a
inTemporaryFolder = bracket make removeDirectoryRecursive
  where
    make = getTemporaryDirectory >>= \base -> try' base (0 :: Int)
    try' base n = do
      let folder = base </> ("ghcomp-cmm-" ++ show n)
      (createDirectory folder >> pure folder) `catchIOError` \e ->
        if n < 10000 then try' base (n + 1) else ioError e
