# The ghcomp command: exit statuses and signals of programs, what it refuses and with which message,
# how the library gets into a program, and what `info` prints.
set -u
ghcomp=$RUNTIME/../bin/ghcomp
tree=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset LD_LIBRARY_PATH LD_PRELOAD GHCOMP_SUBSTRATE
CC=${CC:-gcc}
failures=0

# try STATUS TEXT COMMAND...: expects this exit status, and TEXT in standard output or standard error
try() {
  status=$1 text=$2; shift 2
  "$@" >out 2>&1 </dev/null
  is=$?
  [ $is = "$status" ] && { [ -z "$text" ] || grep -qF -- "$text" out; } && return
  echo "ghcomp_command: $*: status $is, expected $status and '$text' in:"
  sed 's/^/    /' out
  failures=$((failures + 1))
}

cat >gomp.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads++;
  const char *(*name)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_name");
  printf("%d threads, %s\n", threads, name != NULL ? name() : "libgomp");
  fflush(stdout);
  if (argc > 2)
    raise(atoi(argv[2]));
  return argc > 1 ? atoi(argv[1]) : 0;
}
C
echo 'int main(void) { return 3; }' >plain.c; echo 'void GOMP_parallel(void) {}' >copy.c
other=$(dirname "$($CC -print-file-name=libgomp.so.1)")
$CC -fopenmp gomp.c -o gomp -ldl && $CC plain.c -o plain && $CC -static plain.c -o static &&
  $CC -fopenmp gomp.c -o rpath -ldl -Wl,--disable-new-dtags,-rpath,"$other" || exit 1
cp gomp setuid && chmod u+s setuid
printf '\267' | cat >machine && cp gomp foreign && dd if=machine of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null
printf '#!/bin/sh\nexec ./gomp 6\n' >script && printf 'just text\n' >bare
printf '#!/usr/bin/env python3\nimport os\nprint(os.environ["LD_PRELOAD"])\n' >python
# Rscript: a binary without OpenMP that starts a script, which puts other folders first in LD_LIBRARY_PATH.
printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH\nexec ./gomp 7\n' "$other" >language
printf '#include <unistd.h>\nint main(void) { return execl("./language", "language", NULL); }\n' | $CC -x c - -o Rscript &&
  printf '#!%s\n' "$work/Rscript" >of_Rscript && chmod +x language of_Rscript || exit 1
printf '\0' >data && chmod +x script bare python && mkdir folder

# What a Haskell program that depends on the package looks like: it exports the names, and starts with the environment that it had.
printf '#include <stdio.h>\n#include <stdlib.h>\nvoid GOMP_parallel(void) {}\nconst char *ghcomp_version(void) { return ""; }\n%s\n' \
  'int main(void) { const char *p = getenv("LD_LIBRARY_PATH"), *q = getenv("LD_PRELOAD"); printf("%s, %s.\n", p ? p : "no path", q ? q : "nothing before"); return 4; }' >inside.c
$CC -rdynamic inside.c -o inside && $CC -static inside.c -o inside-static || exit 1
for program in inside inside-static; do
  try 0 'has this runtime inside, by the Haskell package ghc-openmp' "$ghcomp" info ./$program
  try 0 "./$program: start it as it is" "$ghcomp" info ./$program
  try 4 'no path, nothing before.' "$ghcomp" run -- ./$program
  try 4 '/somewhere, nothing before.' env LD_LIBRARY_PATH=/somewhere "$ghcomp" run -- ./$program
done
# What the system ignores for its owner's privileges is not needed.
cp inside inside-setuid && chmod u+s inside-setuid
try 0 './inside-setuid: start it as it is' "$ghcomp" info ./inside-setuid
try 4 'no path, nothing before.' "$ghcomp" run -- ./inside-setuid

try 0 '3 threads, ghc' "$ghcomp" run -- ./gomp
try 0 '3 threads, ghc' "$ghcomp" run ./gomp
try 0 '3 threads, pthread' "$ghcomp" run --substrate pthread -- ./gomp
try 0 '3 threads, pthread' "$ghcomp" run --substrate=pthread -- ./gomp
try 42 '3 threads, ghc' "$ghcomp" run -- ./gomp 42
try 143 '3 threads, ghc' "$ghcomp" run -- ./gomp 0 15
try 0 '3 threads, ghc' "$ghcomp" run -- ./rpath
try 6 '3 threads, ghc' "$ghcomp" run -- ./script
try 0 '3 threads, ghc' "$ghcomp" run -- sh -c ./gomp
try 0 "$RUNTIME/libgomp.so.1" "$ghcomp" run -- ./python
try 7 '3 threads, ghc' "$ghcomp" run -- ./Rscript
try 7 '3 threads, ghc' "$ghcomp" run -- ./of_Rscript

try 125 'does not use libgomp.so.1' "$ghcomp" run -- ./plain
try 125 'is statically linked' "$ghcomp" run -- ./static
try 125 'is setuid or setgid' "$ghcomp" run -- ./setuid
try 125 'is for another machine' "$ghcomp" run -- ./foreign
try 126 'not an executable file' "$ghcomp" run -- ./data
try 126 'neither a program nor a script' "$ghcomp" run -- ./bare
try 126 'not an executable file' "$ghcomp" run -- ./folder
try 127 'there is no such program' "$ghcomp" run -- no-such-program
# As a shell, a search in PATH goes past what is no program.
mkdir -p earlier/gomp earlier/only later && touch earlier/text && cp gomp later/ && cp gomp later/text
try 0 '3 threads, ghc' env PATH="$work/earlier:$work/later:$PATH" "$ghcomp" run -- gomp
try 0 '3 threads, ghc' env PATH="$work/earlier:$work/later:$PATH" "$ghcomp" run -- text
try 127 'there is no such program' env PATH="$work/earlier:$work/later:$PATH" "$ghcomp" run -- only
try 2 'expected ghc or pthread' "$ghcomp" run --substrate capos -- ./gomp
try 2 'not an option of run' "$ghcomp" run --fast -- ./gomp
try 2 'expected a program' "$ghcomp" run --
try 2 'not a subcommand' "$ghcomp" walk
try 2 'usage: ghcomp' "$ghcomp"
# A program with calls as Clang writes them; the library that it is linked with starts no threads.
cat >kmpc.c <<'C'
#include <stdio.h>
extern void __kmpc_fork_call(void *, int, void (*)(int *, int *, ...), ...);
extern int omp_get_num_threads(void), omp_get_thread_num(void);
static void body(int *gtid, int *bound, ...)
{
  if (omp_get_thread_num() == 0)
    printf("%d threads of Clang's\n", omp_get_num_threads());
}
int main(void)
{
  __kmpc_fork_call(0, 0, body);
  return 0;
}
C
cat >libomp.c <<'C'
void __kmpc_fork_call(void *where, int count, void (*body)(int *, int *, ...), ...) { body(0, 0); }
int omp_get_num_threads(void) { return 1; }
int omp_get_thread_num(void) { return 0; }
C
for name in libomp.so.5 libiomp5.so libomp-0a1b2c.so.5; do
  $CC -shared -fPIC -Wl,-soname,$name -o $name libomp.c || exit 1
done
$CC kmpc.c -o llvm -Wl,-z,now ./libomp.so.5 -Wl,-rpath,"$work" || exit 1
$CC kmpc.c -o intel -Wl,-z,now ./libiomp5.so -Wl,-rpath,"$work",--disable-new-dtags || exit 1
$CC kmpc.c -o wheel -Wl,-z,now ./libomp-0a1b2c.so.5 -Wl,-rpath,"$work" || exit 1
try 0 "1 threads of Clang's" env OMP_NUM_THREADS=3 ./llvm
for program in llvm intel wheel; do
  try 0 "3 threads of Clang's" env OMP_NUM_THREADS=3 "$ghcomp" run -- ./$program
  try 0 'served                 yes' "$ghcomp" info ./$program
done
try 0 'LD_LIBRARY_PATH alone  is enough' "$ghcomp" info ./llvm
try 0 'LD_LIBRARY_PATH alone  is not enough' "$ghcomp" info ./intel
try 0 'LD_LIBRARY_PATH alone  is not enough' "$ghcomp" info ./wheel
try 0 'is an OpenMP runtime itself' "$ghcomp" info ./libomp-0a1b2c.so.5
$CC kmpc.c -o intel-plain -Wl,-z,now ./libiomp5.so || exit 1
try 0 'which is this runtime' env LD_LIBRARY_PATH="$RUNTIME" "$ghcomp" info ./intel-plain
try 0 'LD_LIBRARY_PATH alone  is enough' env LD_LIBRARY_PATH="$RUNTIME" "$ghcomp" info ./intel-plain

try 0 'usage: ghcomp' "$ghcomp" --help
try 0 'usage: ghcomp run' "$ghcomp" run --help
try 0 'usage: ghcomp info' "$ghcomp" info --help
# The version comes from the cabal file.
version=$(sed -n 's/^version: *//p' "$tree/ghc-openmp.cabal")
try 0 "ghcomp ${version:?}" "$ghcomp" --version
[ "$(cat out)" = "ghcomp $version" ] || { echo "ghcomp_command: --version says $(cat out), not ghcomp $version alone"; failures=$((failures + 1)); }
try 0 "ghc-openmp             $version" "$ghcomp" info
try 0 'ghc: GHC ' "$ghcomp" info
try 0 'thread:Capability      0:0 1:' env OMP_NUM_THREADS=2 "$ghcomp" info
try 0 'OPENMP DISPLAY ENVIRONMENT BEGIN' "$ghcomp" info
try 0 'GOMP_SPINCOUNT' "$ghcomp" info --verbose
try 0 'GHCOMP_SUBSTRATE=pthread' env GHCOMP_SUBSTRATE=pthread "$ghcomp" info
try 2 'not an option of info' "$ghcomp" info --loud
try 2 "'--loud' is not an option of info" "$ghcomp" info --verbose --loud
try 2 "'--loud' is not an option of info" "$ghcomp" info --loud --verbose
try 0 'GOMP_SPINCOUNT' "$ghcomp" info -v
try 0 'usage: ghcomp' "$ghcomp" help

try 2 'bench: expected LIST, RUN, SUMMARY, COMPARE, KEEP or DOCUMENTS' "$ghcomp" bench
for word in LIST RUN SUMMARY COMPARE KEEP DOCUMENTS; do
  try 0 "ghcomp bench $word" "$ghcomp" bench --help
  try 0 "usage: ghcomp bench $word" "$ghcomp" bench $word --help
done
try 0 'workloads:' "$ghcomp" bench LIST
try 2 "ghcomp bench: " "$ghcomp" bench WALK
# test/bench/check tests each of these; here only that the words reach bench/run.
try 2 'which workload' "$ghcomp" bench RUN
try 2 'no record or workload is called' "$ghcomp" bench SUMMARY none
try 2 'COMPARE: expected a second record B' "$ghcomp" bench COMPARE none
try 2 'cannot read the record' "$ghcomp" bench KEEP folder /nonexistent
try 0 '' "$ghcomp" bench DOCUMENTS --check
# `info FILE` judges a program or library as `run` would, and executes nothing of it.
$CC -shared -fPIC -fopenmp -o libuses.so gomp.c && $CC -shared -fPIC -o libplain.so plain.c || exit 1
$CC -shared -fPIC -o libgomp-1a2b3c.so.1 -Wl,-soname,libgomp-1a2b3c.so.1 copy.c &&
  $CC -shared -fPIC -o libwheel.so plain.c -Wl,--no-as-needed ./libgomp-1a2b3c.so.1 -Wl,-rpath,"$work" || exit 1
try 0 'served                 yes' "$ghcomp" info ./gomp
try 0 'LD_LIBRARY_PATH alone  is enough' "$ghcomp" info ./gomp
try 0 'LD_LIBRARY_PATH alone  is not enough' "$ghcomp" info ./rpath
try 0 'is linked with' "$ghcomp" info ./rpath
try 0 'which is this runtime' env LD_LIBRARY_PATH="$RUNTIME" "$ghcomp" info ./gomp
try 0 'served                 if it comes to use an OpenMP runtime' "$ghcomp" info ./python
try 0 'served                 yes' "$ghcomp" info ./libuses.so
try 0 'libgomp-1a2b3c.so.1' "$ghcomp" info ./libwheel.so
try 0 'served                 yes' "$ghcomp" info ./libwheel.so
try 0 'is an OpenMP runtime itself' "$ghcomp" info ./libgomp-1a2b3c.so.1
try 125 'served                 no' "$ghcomp" info ./libplain.so
try 125 'served                 no' "$ghcomp" info ./plain
try 125 'is statically linked' "$ghcomp" info ./static
try 125 'is setuid or setgid' "$ghcomp" info ./setuid
try 127 'there is no such program or library' "$ghcomp" info no-such-program
try 126 'not a file' "$ghcomp" info ./folder
try 2 "expected one program or --verbose, and got './plain' too" "$ghcomp" info --verbose ./plain
try 125 'is a library, which a program loads' "$ghcomp" run -- ./libuses.so
# Outside the source tree, and without Python.
mkdir -p away/bin nothing && cp "$ghcomp" away/bin/ghcomp
try 125 'bench needs the source tree' away/bin/ghcomp bench LIST
try 0 'usage: ghcomp bench LIST' away/bin/ghcomp bench --help
try 125 'bench needs python3' env PATH="$work/nothing" "$ghcomp" bench LIST

exit $((failures != 0))
