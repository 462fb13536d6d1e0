# A program that is linked with libomp.so or libiomp5.so of the runtime's folder needs libomp.so.5 and LLVM's names alone, as one
# that is linked with LLVM's library: it is served as a program of LLVM's compilers, and starts where only LLVM's runtime is.
# A program that needs a library by one of these two names, as LLVM's own builds and Intel's do, has the runtime once.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH LD_PRELOAD OMP_DISPLAY_ENV
CC=${CC:-gcc}
failures=0
fail() { echo "link_names: $*"; failures=1; }

# As Clang compiles a region; the object is one of those that a program without PIE has a copy of.
cat >"$work/program.c" <<'C'
#include <stdint.h>
#include <stdio.h>
extern void __kmpc_fork_call(void *, int32_t, void *, ...), __kmpc_push_num_threads(void *, int32_t, int32_t);
extern int32_t __kmpc_global_thread_num(void *);
extern const uintptr_t omp_large_cap_mem_alloc;
static int threads;
static void body(int32_t *number, int32_t *bound)
{
  (void)number, (void)bound;
  __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
}
int main(void)
{
  static struct { int32_t numbers[4]; const char *source; } where = {{0, 2, 0, 0}, ";file;main;0;0;;"};
  __kmpc_push_num_threads(&where, __kmpc_global_thread_num(&where), 3);
  __kmpc_fork_call(&where, 0, body);
  printf("threads %d, allocator %d\n", threads, (int)omp_large_cap_mem_alloc);
  return 0;
}
C

# says PROGRAM FOLDER: as a program of LLVM's compilers does whose runtime is in the folder
says() {
  said=$(LD_LIBRARY_PATH=$2 OMP_DISPLAY_ENV=true timeout -s KILL 60 "$work/$1" 2>&1) || fail "$1 with $2 fails: $said"
  case $said in *"threads 3, allocator 2"*) ;; *) fail "$1 with $2: expected three threads and allocator 2 in: $said" ;; esac
  echo "$said" | grep -qi "OMP_SCHEDULE *= *'static'" || fail "$1 with $2 is not served as a program of LLVM's compilers"
}

# needs_llvm PROGRAM: libomp.so.5 and no node but VERSION
needs_llvm() {
  needed=$(readelf -dW "$work/$1" | sed -n 's/.*NEEDED.*\[\(lib[a-z0-9]*omp.*\)\]/\1/p')
  [ "$needed" = libomp.so.5 ] || fail "$1 needs '$needed', expected libomp.so.5"
  if readelf -VW "$work/$1" | grep -qE 'G?OMP_[0-9]|GHCOMP_'; then fail "$1 asks for nodes that LLVM's library has not"; fi
}

for name in omp iomp5; do
  for pie in -pie -no-pie; do
    $CC -fPIE "$work/program.c" $pie -o "$work/$name$pie" -L "$RUNTIME" "-l$name" || exit 1
    needs_llvm "$name$pie"
    says "$name$pie" "$RUNTIME"
    for theirs in /usr/lib/llvm-*/lib; do
      [ ! -e "$theirs/libomp.so.5" ] || LD_LIBRARY_PATH=$theirs timeout -s KILL 60 "$work/$name$pie" | grep -qx 'threads 3, allocator 2' ||
        fail "$name$pie does not run with $theirs/libomp.so.5"
    done
  done
done

# What the loader meets by these names, in whatever order, and by the others: the runtime, mapped once.
mkdir "$work/stand-in"
for name in libomp.so libiomp5.so; do
  echo 'VERSION { global: *; };' >"$work/map"
  echo 'char omp_large_cap_mem_alloc[8]; void __kmpc_fork_call(void) {} void __kmpc_global_thread_num(void) {} void __kmpc_push_num_threads(void) {}' >"$work/stand-in.c"
  $CC -shared -fPIC "$work/stand-in.c" -o "$work/stand-in/$name" -Wl,-soname,$name -Wl,--version-script,"$work/map" || exit 1
done
while read -r program libraries; do
  # shellcheck disable=SC2086 # a list
  $CC -fPIE -pie "$work/program.c" -o "$work/$program" -Wl,--no-as-needed $(eval echo $libraries) || exit 1
  says "$program" "$RUNTIME"
  mapped=$(LD_LIBRARY_PATH=$RUNTIME LD_TRACE_LOADED_OBJECTS=1 "$work/$program" | sed -n 's/.*=> *//; s/^[[:space:]]*//; s/ (0x.*//; /omp[5.]/p' |
    while read -r path; do readlink -f "$path"; done | while read -r path; do readelf -lW "$path" | grep -q 'LOAD.* R E ' && echo "$path"; done | sort -u)
  [ "$mapped" = "$(readlink -f "$RUNTIME/libgomp.so.1")" ] || fail "$program maps $mapped, expected $RUNTIME/libgomp.so.1 alone"
done <<'TEXT'
upstream $work/stand-in/libomp.so
intel $work/stand-in/libiomp5.so
three $work/stand-in/libomp.so $work/stand-in/libiomp5.so $RUNTIME/libomp.so
TEXT
exit $failures
