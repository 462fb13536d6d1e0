# A libghcomp_rts.so of another version, or of none, beside the library, as after an upgrade: nothing of it is called, plain threads
# serve, and one message says so.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GHCOMP_SUBSTRATE GHCOMP_RTS_LIBRARY
failures=0
cc=${CC:-gcc}
version=$(sed -n 's/^version: *//p' ghc-openmp.cabal)

cat >"$work/rts.c" <<'C'
#include <stdlib.h>
static void called(void) { abort(); }
void *ghcomp_rts_substrate[9] = {"another", called, called, called, called, called, called};
void ghcomp_rts_alone(void) { called(); }
#ifdef VERSION
const char ghcomp_rts_version[] = VERSION;
#endif
C
printf '%s\n' 'int main(void) {' '  int threads = 0;' '#pragma omp parallel num_threads(3) reduction(+ : threads)' \
  '  threads++;' '  return threads;' '}' >"$work/gomp.c"
$cc -fopenmp "$work/gomp.c" -o "$work/gomp" || exit 1
mkdir "$work/lib" && cp "$RUNTIME/libgomp.so.1" "$work/lib" || exit 1
file=$work/lib/libghcomp_rts.so

# refused VERSION: the file that has VERSION
refused() {
  LD_LIBRARY_PATH=$work/lib "$work/gomp" 2>"$work/said"
  status=$?
  expected="ghcomp: GHC's runtime system cannot be loaded ($file: expected version $version, and found $1): plain threads are used instead of Capabilities"
  [ $status = 3 ] && [ "$(cat "$work/said")" = "$expected" ] && return
  echo "rts_of_another_version: status $status, expected 3 and '$expected'; it said:"
  cat "$work/said"
  failures=1
}
$cc -shared -fPIC -w "$work/rts.c" -DVERSION='"0.0.1"' -o "$file" && refused 0.0.1
$cc -shared -fPIC -w "$work/rts.c" -DVERSION="\"$version.1\"" -o "$file" && refused "$version.1"
$cc -shared -fPIC -w "$work/rts.c" -o "$file" && refused none
exit $failures
