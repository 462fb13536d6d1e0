# The system's C library is older than the RTS needs.  Plain threads must serve silently; `info` must give the
# reason, and so must a message for a program that asks for GHC.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GHCOMP_SUBSTRATE
failures=0
fail() { echo "older_libc: $*"; failures=1; }
says() { grep -qF -- "$2" "$work/$1" || { fail "expected '$2' in:"; sed 's/^/    /' "$work/$1"; }; }
cc=${CC:-gcc}

# An "RTS" that is linked with a newer libc.so.6.
mkdir "$work/later"
echo 'void of_a_later_day(void) {}' >"$work/libc.c"
echo 'GLIBC_2.99 { global: of_a_later_day; };' >"$work/libc.map"
echo 'extern void of_a_later_day(void); void use(void) { of_a_later_day(); }' >"$work/rts.c"
$cc -shared -fPIC -nostdlib "$work/libc.c" -Wl,-soname,libc.so.6 -Wl,--version-script,"$work/libc.map" -o "$work/later/libc.so.6" &&
  $cc -shared -fPIC -nostdlib "$work/rts.c" "$work/later/libc.so.6" -o "$work/rts.so" || exit 1
export GHCOMP_RTS_LIBRARY=$work/rts.so

printf '%s\n' 'int main(void) {' '  int threads = 0;' '#pragma omp parallel num_threads(3) reduction(+ : threads)' \
  '  threads++;' '  return threads;' '}' >"$work/gomp.c"
$cc -fopenmp "$work/gomp.c" -o "$work/gomp" || exit 1
ghcomp=$RUNTIME/../bin/ghcomp
"$ghcomp" run -- "$work/gomp" 2>"$work/errors"; [ $? = 3 ] || fail "the program does not run"
[ ! -s "$work/errors" ] || { fail "not silent:"; cat "$work/errors"; }

reason="GHC's runtime system needs GLIBC_2.99 and this system's C library is glibc $(getconf GNU_LIBC_VERSION | cut -d' ' -f2)"
"$ghcomp" info >"$work/info" 2>&1 || fail "info fails"
says info "pthread: POSIX threads"
says info "$reason"
grep -q '^ghcomp:' "$work/info" && fail "info is not silent"

"$ghcomp" run --substrate ghc -- "$work/gomp" 2>"$work/errors"; [ $? = 3 ] || fail "the program does not run when it asks for GHC"
says errors "ghcomp: $reason: plain threads are used instead of Capabilities"
exit $failures
