# LLVM's or Intel's own runtime in one process with this one, each loaded by its path into a scope of its own.  Neither may end the
# process, whichever is used first.  If theirs is used, this one says so once; KMP_WARNINGS=0 turns that off.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH LD_PRELOAD KMP_WARNINGS KMP_DUPLICATE_LIB_OK OMP_NUM_THREADS GHCOMP_SUBSTRATE
failures=0

cat >"$work/main.c" <<'C'
/* Arguments: paths of runtimes, which are loaded and used in this order; "+" before a path: only loaded.  */
#include <dlfcn.h>
#include <stdio.h>
#ifdef HAS_RUNTIME
__attribute__((used)) static void __kmpc_fork_call(void) {}
#endif
struct place { int reserved_1, flags, reserved_2, reserved_3; const char *text; };
struct place place = {0xcafe, 2, 0, 0, ";main.c;main;1;1;;"};
static void member(int *thread, int *bound, int *count)
{
  (void)thread, (void)bound;
  __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}
static int use(void *library)
{
  int count = 0;
  int (*thread)(void *) = (int (*)(void *))dlsym(library, "__kmpc_global_thread_num");
  void (*ask)(void *, int, int) = (void (*)(void *, int, int))dlsym(library, "__kmpc_push_num_threads");
  void (*fork)(void *, int, void *, ...) = (void (*)(void *, int, void *, ...))dlsym(library, "__kmpc_fork_call");
  ask(&place, thread(&place), 3);
  fork(&place, 1, (void *)member, &count);
  return count;
}
int main(int argc, char **argv)
{
  for (int round = 0; round < 2; round++)
    for (int i = 1; i < argc; i++) {
      int only_load = argv[i][0] == '+';
      void *library = dlopen(argv[i] + only_load, RTLD_NOW | RTLD_LOCAL);
      if (library == NULL || (!only_load && use(library) != 3)) {
        printf("%s: %s\n", argv[i], library == NULL ? dlerror() : "not three threads");
        return 1;
      }
    }
  puts("done");
  return 0;
}
C
${CC:-gcc} -O1 -no-pie -DHAS_RUNTIME "$work/main.c" -o "$work/main" -ldl || exit 1
ours=$RUNTIME/libomp.so.5

# Their runtimes leave a file with the address and the value of a word.  A process may find the file of an earlier process with
# the same number.  Then the address is not mapped, or the word has another value.  In a program that is linked with such a runtime
# the word is the program's; "place" and HAS_RUNTIME stand for that.
place=0x$(nm "$work/main" | sed -n 's/ D place$//p') of_place=cafe
# shellcheck disable=SC2016 # for the shell inside
marked='path=/dev/shm/__KMP_REGISTERED_LIB_$$_$(id -u); echo "$path" >"$1"; echo "$0" >"$path"; shift; exec "$@"'

# try TEXT COMMAND...: exit status 0, and standard error is one line with TEXT, or empty if TEXT is
try() {
  said=$1; shift
  status=0
  env "$@" >"$work/out" 2>"$work/err" || status=$?
  lines=$(wc -l <"$work/err")
  [ -e "$work/mark" ] && rm -f "$(cat "$work/mark")" "$work/mark"
  if [ $status = 0 ] && [ "$(cat "$work/out")" = done ] &&
    { if [ -n "$said" ]; then [ "$lines" = 1 ] && grep -qF -- "$said" "$work/err"; else [ "$lines" = 0 ]; fi; }; then
    return
  fi
  echo "other_runtime: $*: status $status, expected 0 and ${said:-silence}; it printed:"
  cat "$work/out" "$work/err"
  failures=1
}

check() { # check PATH: tries a runtime that is not ours
  theirs=$1
  cp "$theirs" "$work/libomp-copy.so"
  # Two of theirs must notice each other: otherwise the tests below would show nothing.
  "$work/main" "$theirs" "$work/libomp-copy.so" >"$work/out" 2>&1
  grep -q 'Error #15' "$work/out" || { echo "other_runtime: two of $theirs do not refuse each other:"; cat "$work/out"; failures=1; }
  message="ghcomp: $theirs, another OpenMP runtime, is at work in this process too"
  for substrate in ghc pthread; do
    set -- GHCOMP_SUBSTRATE=$substrate
    try "$message" "$@" "$work/main" "$theirs" "$ours"
    try "$message" "$@" "$work/main" "$theirs" "$RUNTIME/libiomp5.so"
    try "" "$@" KMP_WARNINGS=0 "$work/main" "$theirs" "$ours"
    try "$message" "$@" KMP_DUPLICATE_LIB_OK=TRUE "$work/main" "$theirs" "$ours"
    try "$message" "$@" KMP_DUPLICATE_LIB_OK=FALSE "$work/main" "$theirs" "$ours"
    try "" "$@" "$work/main" "$ours" "$theirs"
    try "" "$@" KMP_DUPLICATE_LIB_OK=FALSE "$work/main" "$ours" "$theirs"
    try "" "$@" "$work/main" "+$theirs" "$ours" # loaded, but not used
    for mark in "10-$of_place-libomp.so.5" "$place-${of_place}1-libomp.so.5" "$place-$of_place" "rubbish" ""; do
      try "" "$@" sh -c "$marked" "$mark" "$work/mark" "$work/main" "+$theirs" "$ours"
    done
    try "ghcomp: libx.so, another OpenMP runtime" "$@" sh -c "$marked" "$place-$of_place-libx.so" "$work/mark" "$work/main" "$ours"
    try "" "$@" "LD_PRELOAD=$RUNTIME/libgomp.so.1" "$work/main" "$ours"
    try "" "$@" "LD_PRELOAD=$RUNTIME/libgomp.so.1" "$work/main" "$theirs"
  done
}

found=
for theirs in /usr/lib/llvm-*/lib/libomp.so.5 "$(dirname "$BUILD")/clients/venv/lib/libiomp5.so"; do
  [ -e "$theirs" ] && found=yes && check "$(realpath "$theirs")"
done
[ -n "$found" ] || echo "not run: there is no libomp.so.5 of LLVM's here (Debian: libomp-dev)"
exit $failures
