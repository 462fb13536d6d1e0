# A machine without GHC: make and make install say so in one line, and the result serves programs with
# plain threads, without a message.  Once GHC is there, make builds the rest.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MAKELEVEL BUILD PREFIX LD_LIBRARY_PATH GHCOMP_SUBSTRATE
failures=0

fail() { echo "without_ghc: $*"; failures=1; }
says() { grep -qF -- "$2" "$work/$1" || { fail "expected '$2' in:"; sed 's/^/    /' "$work/$1"; }; }
is_silent() { [ ! -s "$work/$1" ] || { fail "not silent:"; sed 's/^/    /' "$work/$1"; }; }

# put together GHC: builds and installs with that compiler
put() { make -j2 install BUILD="$work/build" PREFIX="$work/prefix" GHC="$1" >"$work/make" 2>&1 || { fail "make fails:"; tail -n 5 "$work/make"; }; }

cat >"$work/gomp.c" <<'C'
int main(void)
{
  int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads++;
  return threads;
}
C
${CC:-gcc} -fopenmp "$work/gomp.c" -o "$work/gomp" || exit 1
ghcomp=$work/prefix/bin/ghcomp

put /nonexistent/ghc
says make "is built without GHC (there is no '/nonexistent/ghc'): regions run on plain threads"
[ "$(grep -c 'without GHC (' "$work/make")" = 1 ] || fail "it is said $(grep -c 'without GHC (' "$work/make") times"
"$ghcomp" run -- "$work/gomp" 2>"$work/errors"; [ $? = 3 ] || fail "the program does not run"
is_silent errors
"$ghcomp" info >"$work/info" 2>&1 || fail "info fails"
says info "the library was built without GHC"
says info "pthread: POSIX threads"
GHCOMP_SUBSTRATE=ghc "$ghcomp" run -- "$work/gomp" 2>"$work/errors"; [ $? = 3 ] || fail "the program does not run when it asks for GHC"
says errors "GHC's runtime system cannot be loaded"
ls "$work"/prefix/lib/ghc-openmp >"$work/list"
if grep -q rts "$work/list"; then fail "an RTS was installed"; fi

put "${GHC:-ghc}"
"$ghcomp" info >"$work/info" 2>&1
says info "ghc: GHC "

put /nonexistent/ghc # and when GHC is gone again
"$ghcomp" info >"$work/info" 2>&1
says info "the library was built without GHC"
exit $failures
