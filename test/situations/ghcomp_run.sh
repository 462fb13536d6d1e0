# ghcomp run passes exit status and signals through, and says in one line why a
# program cannot be served.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ghcomp=$(dirname "$RUNTIME")/bin/ghcomp
fail() { echo "$1"; exit 1; }
expect() { # STATUS PATTERN COMMAND...
  status=$1 pattern=$2; shift 2
  said=$("$@" 2>&1); got=$?
  [ $got = "$status" ] || fail "$*: exit status $got, expected $status: $said"
  [ -z "$pattern" ] || { echo "$said" | grep -q "$pattern" || fail "$*: expected '$pattern', got: $said"; [ "$(echo "$said" | wc -l)" = 1 ] || fail "$*: more than one line: $said"; }
}
cat > "$work/p.c" <<'C'
#include <stdlib.h>
#include <signal.h>
int main(int argc, char **argv) { int s = 0;
#pragma omp parallel num_threads(2) reduction(+:s)
s++;
if (argc > 2) raise(atoi(argv[2])); return argc > 1 ? atoi(argv[1]) : s != 2; }
C
${CC:-gcc} -fopenmp "$work/p.c" -o "$work/p"
${CC:-gcc} "$work/p.c" -o "$work/plain"
${CC:-gcc} -static "$work/p.c" -o "$work/static"
cp "$work/p" "$work/setuid"; chmod u+s "$work/setuid"
mkdir "$work/own"; cp "$(${CC:-gcc} -print-file-name=libgomp.so.1)" "$work/own/libgomp.so.1"
${CC:-gcc} -fopenmp "$work/p.c" -o "$work/rpath" -Wl,--disable-new-dtags -Wl,-rpath,"$work/own"
printf '\177ELF\001\001\001' > "$work/foreign"; chmod +x "$work/foreign"; dd if=/dev/zero bs=64 count=2 >> "$work/foreign" 2>/dev/null
echo text > "$work/text"; chmod +x "$work/text"
expect 0 "" "$ghcomp" run -- "$work/p"
expect 0 "" "$ghcomp" run --substrate pthread -- "$work/p"
expect 42 "" "$ghcomp" run -- "$work/p" 42
expect 143 "" sh -c "'$ghcomp' run -- '$work/p' 0 15; exit \$?"
expect 125 "does not use libgomp" "$ghcomp" run -- "$work/plain"
expect 125 "statically linked" "$ghcomp" run -- "$work/static"
expect 125 "setuid" "$ghcomp" run -- "$work/setuid"
expect 125 "another machine" "$ghcomp" run -- "$work/foreign"
expect 126 "neither a program nor a script" "$ghcomp" run -- "$work/text"
expect 127 "no such program" "$ghcomp" run -- "$work/missing"
expect 2 "" "$ghcomp" run
expect 2 "expected ghc or pthread" "$ghcomp" run --substrate windows -- "$work/p"
expect 0 "" "$ghcomp" --help
expect 0 "" "$ghcomp" run --help
expect 0 "" "$ghcomp" info --help
# A program that says it needs LLVM's runtime; the name is all that counts.
${CC:-gcc} -shared -Wl,-soname,libomp.so.5 -o "$work/libomp.so.5" -x c /dev/null
${CC:-gcc} "$work/p.c" -o "$work/llvm" -Wl,--no-as-needed "$work/libomp.so.5" -Wl,-rpath,"$work"
expect 125 "LLVM's OpenMP runtime" "$ghcomp" run -- "$work/llvm"
"$ghcomp" run -- "$work/rpath" || fail "rpath"
LD_DEBUG=files "$ghcomp" run -- "$work/rpath" 2>&1 | grep -q "calling init: $RUNTIME/libgomp.so.1" || fail "a program with its own RPATH did not get our library"
"$ghcomp" info 2>/dev/null | grep -q "^substrate  *ghc: GHC" || fail "info does not name the GHC substrate"
GHCOMP_SUBSTRATE=pthread "$ghcomp" info 2>/dev/null | grep -q "^substrate  *pthread" || fail "info does not name the pthread substrate"
"$ghcomp" info 2>&1 >/dev/null | grep -q "OMP_NUM_THREADS" || fail "info has no settings"
exit 0
