# In a Haskell program the host's Capabilities are found, not made: static and
# dynamic -threaded programs get teams of their -N on the ghc substrate, buffered
# standard output survives, and a program without -threaded gets plain threads
# and one sentence.
set -e
command -v ghc >/dev/null || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/c.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
int team(void) { int n = 0;
#pragma omp parallel
#pragma omp single
n = omp_get_num_threads();
return n; }
int is_ghc(void) { const char *(*d)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_describe");
return d && d()[0] == 'g' && d()[5] == 't'; } /* "ghc: the Capabilities of this Haskell program" */
C
cat > "$work/Main.hs" <<'H'
import Control.Concurrent
import Control.Monad
import Foreign.C.Types
foreign import ccall safe "team" cTeam :: IO CInt
foreign import ccall unsafe "is_ghc" cIsGhc :: IO CInt
main :: IO ()
main = do
  boxes <- forM [1 .. 8 :: Int] $ \_ -> do { b <- newEmptyMVar; _ <- forkIO (cTeam >>= putMVar b); pure b }
  sizes <- mapM takeMVar boxes
  ghc <- cIsGhc
  putStr (show (maximum sizes, minimum sizes, ghc))
H
${CC:-gcc} -O1 -fopenmp -shared -fPIC "$work/c.c" -o "$work/libc_omp.so" -ldl
build() { ghc -v0 -O0 -rtsopts "$@" -outputdir "$work/o$#" "$work/Main.hs" -L"$work" -lc_omp -o "$work/main"; }
check() { [ "$1" = "$2" ] || { echo "$3: expected $2, got $1"; exit 1; }; }
export LD_LIBRARY_PATH="$RUNTIME:$work"
build -threaded
check "$("$work/main" +RTS -N3 | cat)" "(3,3,1)" "static -threaded"
check "$("$work/main" +RTS -N1 | cat)" "(1,1,0)" "static -threaded -N1, no second thread"
if build -threaded -dynamic 2>/dev/null; then
  check "$("$work/main" +RTS -N3 | cat)" "(3,3,1)" "dynamic -threaded"
fi
build
said=$(OMP_NUM_THREADS=2 "$work/main" 2>&1 >"$work/out")
check "$(cat "$work/out")" "(2,2,0)" "not threaded"
case $said in
*"not linked with -threaded"*) ;;
*) echo "expected a sentence on -threaded, got: $said"; exit 1 ;;
esac
check "$(echo "$said" | wc -l)" 1 "messages"
