# Settings and regions before the runtime's own constructor: in a library that does not name libgomp as needed, and in an
# executable that the runtime is linked into.  The first call of either kind must read the environment, and only once.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
cat >"$work/early.cpp" <<'C'
#include <omp.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" int early_threads, early_levels, early_teams, early_cancellation, early_places;
int early_threads, early_levels, early_teams, early_cancellation, early_places;
static char early_format[64];

static int threads_of_region()
{
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  return threads;
}

// The first calls read no settings of a thread: the runtime does not know this thread yet.
struct early {
  early()
  {
    omp_get_affinity_format(early_format, sizeof early_format);
    early_cancellation = omp_get_cancellation();
    early_teams = omp_get_max_teams();
    early_places = omp_get_num_places();
    omp_set_dynamic(0);
    early_levels = omp_get_max_active_levels();
    early_threads = threads_of_region();
    omp_set_num_teams(7);
  }
} of_this_file;

extern "C" int early_check()
{
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  bool ok = early_threads == 3 && early_levels == 4 && early_teams == 5 && early_cancellation == 1 && early_places == 1 &&
            threads_of_region() == 3 && omp_get_thread_limit() == 9 && kind == omp_sched_guided && chunk == 6 &&
            omp_get_max_teams() == 7 && std::strcmp(early_format, "%n") == 0;
  if (!ok)
    std::printf("threads %d and %d, levels %d, teams %d and %d, cancellation %d, places %d, limit %d, schedule %d,%d, format '%s'\n",
                early_threads, threads_of_region(), early_levels, early_teams, omp_get_max_teams(), early_cancellation, early_places,
                omp_get_thread_limit(), (int)kind, chunk, early_format);
  return ok ? 0 : 1;
}
C
echo 'int early_check(void); int main(void) { return early_check(); }' >"$work/main.c"

# check PROGRAM: all settings of the environment hold before main and in it, and a bad value is named once
check() {
  OMP_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=4 OMP_NUM_TEAMS=5 OMP_CANCELLATION=true OMP_SCHEDULE=guided,6 OMP_THREAD_LIMIT=9 \
    OMP_AFFINITY_FORMAT=%n OMP_PLACES='{0}' OMP_PROC_BIND=close OMP_TEAMS_THREAD_LIMIT=no timeout -s KILL 60 "$work/$1" >"$work/out" 2>"$work/errors" || {
    echo "early_settings: $1 ends with $?: $(cat "$work/out")"; failures=1; }
  [ "$(grep -c 'OMP_TEAMS_THREAD_LIMIT=no' "$work/errors")" = 1 ] || { echo "early_settings: $1 says: $(cat "$work/errors")"; failures=1; }
}

# The loader initialises the last library of the list first, if it does not need the others.
${CXX:-g++} -O1 -fPIC -fopenmp -c "$work/early.cpp" -o "$work/early.o" &&
  ${CXX:-g++} -shared "$work/early.o" -o "$work/libearly.so" -Wl,--unresolved-symbols=ignore-all -Wl,-z,lazy &&
  ${CC:-gcc} "$work/main.c" -o "$work/library" -Wl,--no-as-needed "$RUNTIME/libgomp.so.1" "$work/libearly.so" -Wl,-rpath,"$work" &&
  ${CXX:-g++} "$work/early.o" -x c "$work/main.c" -x none $(find "$RUNTIME/../obj" -name '*.o' ! -name 'stubs*') -o "$work/linked" -lpthread -ldl || exit 1
check library
check linked
exit $failures
