/* storey: settings */
/* The environment variables: what each value means, what remains in force after a bad one, the
   table, and precedence among the forms for host and devices.  */
#include "env_child.h"
#include "expect.h"

#include "places/places.h"

#include <limits.h>
#include <time.h>

static struct child child;

static int show_verbose(void)
{
  ghcomp_env_display(true);
  return 0;
}

/* ------------------------------------------------------------ values in the table */

struct table_case {
  const char *entries[5];
  const char *line;    /* a line that the table must contain */
  const char *message; /* the only message before the table; NULL: none */
};

static const struct table_case table_cases[] = {
    {{NULL}, "[host] OMP_NUM_THREADS = '7'", NULL},
    {{NULL}, "[host] OMP_SCHEDULE = 'DYNAMIC'", NULL},
    {{NULL}, "[host] OMP_THREAD_LIMIT = '4294967295'", NULL},
    {{NULL}, "[host] OMP_MAX_ACTIVE_LEVELS = '1'", NULL},
    {{NULL}, "[host] OMP_AFFINITY_FORMAT = 'level %L thread %i affinity %A'", NULL},
    {{NULL}, "[host] OMP_ALLOCATOR = 'omp_default_mem_alloc'", NULL},
    {{NULL}, "[all] OMP_TARGET_OFFLOAD = 'DEFAULT'", NULL},
    {{NULL}, "_OPENMP = '201511'", NULL},
    {{"OMP_NUM_THREADS=3"}, "[host] OMP_NUM_THREADS = '3'", NULL},
    {{"OMP_NUM_THREADS= 2 ,\t3,4 "}, "[host] OMP_NUM_THREADS = '2,3,4'", NULL},
    {{"OMP_NUM_THREADS=2,3"}, "[host] OMP_MAX_ACTIVE_LEVELS = '255'", NULL},
    {{"OMP_NUM_THREADS=2,3", "OMP_NESTED=false"}, "[host] OMP_MAX_ACTIVE_LEVELS = '1'", NULL},
    {{"OMP_NUM_THREADS=2,3", "OMP_MAX_ACTIVE_LEVELS=4"}, "[host] OMP_MAX_ACTIVE_LEVELS = '4'",
     NULL},
    {{"OMP_NESTED=TRUE"}, "[host] OMP_MAX_ACTIVE_LEVELS = '255'", NULL},
    {{"OMP_NESTED=true", "OMP_MAX_ACTIVE_LEVELS=1"}, "[host] OMP_NESTED = 'FALSE'", NULL},
    {{"OMP_MAX_ACTIVE_LEVELS=300"}, "[host] OMP_MAX_ACTIVE_LEVELS = '255'", NULL},
    {{"OMP_DYNAMIC= True "}, "[host] OMP_DYNAMIC = 'TRUE'", NULL},
    {{"OMP_SCHEDULE=static"}, "[host] OMP_SCHEDULE = 'STATIC'", NULL},
    {{"OMP_SCHEDULE=Guided , 4"}, "[host] OMP_SCHEDULE = 'GUIDED,4'", NULL},
    {{"OMP_SCHEDULE=monotonic : dynamic"}, "[host] OMP_SCHEDULE = 'MONOTONIC:DYNAMIC'", NULL},
    {{"OMP_SCHEDULE=monotonic:static,2"}, "[host] OMP_SCHEDULE = 'STATIC,2'", NULL},
    {{"OMP_SCHEDULE=nonmonotonic:static"}, "[host] OMP_SCHEDULE = 'NONMONOTONIC:STATIC'", NULL},
    {{"OMP_SCHEDULE=trapezoidal"}, "[host] OMP_SCHEDULE = 'DYNAMIC'",
     "OMP_SCHEDULE=trapezoidal: expected [monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]; the default "
     "(DYNAMIC) is used"},
    {{"OMP_SCHEDULE=auto,3"}, "[host] OMP_SCHEDULE = 'AUTO'", NULL},
    {{"OMP_SCHEDULE=static,0"}, "[host] OMP_SCHEDULE = 'STATIC'", NULL},
    {{"OMP_PROC_BIND=false"}, "[host] OMP_PROC_BIND = 'FALSE'", NULL},
    {{"OMP_PROC_BIND=spread, master ,primary,close"},
     "[host] OMP_PROC_BIND = 'SPREAD,MASTER,MASTER,CLOSE'", NULL},
    {{"OMP_PROC_BIND=close,close"}, "[host] OMP_MAX_ACTIVE_LEVELS = '255'", NULL},
    {{"OMP_STACKSIZE=16"}, "[host] OMP_STACKSIZE = '16384'", NULL},
    {{"OMP_STACKSIZE= 2 m "}, "[host] OMP_STACKSIZE = '2097152'", NULL},
    {{"OMP_STACKSIZE=20000B"}, "[host] OMP_STACKSIZE = '20000'", NULL},
    {{"GOMP_STACKSIZE=512"}, "[host] OMP_STACKSIZE = '524288'", NULL},
    {{"GOMP_STACKSIZE=512", "OMP_STACKSIZE=1G"}, "[host] OMP_STACKSIZE = '1073741824'", NULL},
    {{"OMP_WAIT_POLICY=Active"}, "[host] OMP_WAIT_POLICY = 'ACTIVE'", NULL},
    {{"GHCOMP_TREE=16"}, "[host] GHCOMP_TREE = '16'", NULL},
    {{"GHCOMP_TREE=-1"}, "[host] GHCOMP_TREE = 'DEFAULT'",
     "GHCOMP_TREE=-1: expected an integer that is not negative; the default (DEFAULT) is used"},
    {{NULL}, "[host] GHCOMP_TURNS = 'on'", NULL},
    {{"GHCOMP_TURNS= Off "}, "[host] GHCOMP_TURNS = 'off'", NULL},
    {{"GHCOMP_TURNS=on"}, "[host] GHCOMP_TURNS = 'on'", NULL},
    {{"GHCOMP_TURNS=2"}, "[host] GHCOMP_TURNS = 'on'", "GHCOMP_TURNS=2: expected on or off; the default (on) is used"},
    {{NULL}, "[host] GHCOMP_REFUSED_THREADS = 'fewer'", NULL},
    {{"GHCOMP_REFUSED_THREADS= End "}, "[host] GHCOMP_REFUSED_THREADS = 'end'", NULL},
    {{"GHCOMP_REFUSED_THREADS=stop"}, "[host] GHCOMP_REFUSED_THREADS = 'fewer'",
     "GHCOMP_REFUSED_THREADS=stop: expected fewer or end; the default (fewer) is used"},
    {{"GOMP_SPINCOUNT=3k"}, "[host] GOMP_SPINCOUNT = '3000'", NULL},
    {{"GOMP_SPINCOUNT=2 T"}, "[host] GOMP_SPINCOUNT = '2000000000000'", NULL},
    {{"GOMP_SPINCOUNT=infinity"}, "[host] GOMP_SPINCOUNT = '18446744073709551615'", NULL},
    {{"OMP_THREAD_LIMIT=9"}, "[host] OMP_THREAD_LIMIT = '9'", NULL},
    {{"OMP_THREAD_LIMIT=99999999999"}, "[host] OMP_THREAD_LIMIT = '4294967295'", NULL},
    {{"OMP_NUM_TEAMS=6"}, "[host] OMP_NUM_TEAMS = '6'", NULL},
    {{"OMP_TEAMS_THREAD_LIMIT=12"}, "[host] OMP_TEAMS_THREAD_LIMIT = '12'", NULL},
    {{"OMP_CANCELLATION=true"}, "[all] OMP_CANCELLATION = 'TRUE'", NULL},
    {{"OMP_DEFAULT_DEVICE=2"}, "[all] OMP_DEFAULT_DEVICE = '2'", NULL},
    {{"OMP_MAX_TASK_PRIORITY=10"}, "[all] OMP_MAX_TASK_PRIORITY = '10'", NULL},
    {{"OMP_DISPLAY_AFFINITY=TRUE"}, "[all] OMP_DISPLAY_AFFINITY = 'TRUE'", NULL},
    {{"OMP_AFFINITY_FORMAT=hello %0.3{thread_num}%%"},
     "[host] OMP_AFFINITY_FORMAT = 'hello %0.3{thread_num}%%'", NULL},
    {{"OMP_AFFINITY_FORMAT="}, "[host] OMP_AFFINITY_FORMAT = ''", NULL},
    {{"OMP_TARGET_OFFLOAD=mandatory"}, "[all] OMP_DEFAULT_DEVICE = '-4'", NULL},
    {{"OMP_TARGET_OFFLOAD=mandatory", "OMP_DEFAULT_DEVICE=0"}, "[all] OMP_DEFAULT_DEVICE = '0'",
     NULL},
    {{"OMP_TARGET_OFFLOAD=Mandatory"}, "[all] OMP_TARGET_OFFLOAD = 'MANDATORY'", NULL},
    {{"OMP_ALLOCATOR=OMP_cgroup_mem_alloc"}, "[host] OMP_ALLOCATOR = 'omp_cgroup_mem_alloc'",
     NULL},
    {{"OMP_ALLOCATOR=omp_low_lat_mem_space"}, "[host] OMP_ALLOCATOR = 'omp_low_lat_mem_alloc'",
     NULL},
    {{"OMP_ALLOCATOR=omp_default_mem_space:alignment=64,fallback=null_fb"},
     "[host] OMP_ALLOCATOR = 'omp_default_mem_space:alignment=64,fallback=null_fb'", NULL},
    {{"OMP_TOOL=nonsense", "OMP_TOOL_LIBRARIES=a:b", "OMP_DEBUG=maybe",
      "GOMP_RTEMS_THREAD_POOLS=1$2@3"},
     "[host] OMP_NUM_THREADS = '7'", NULL},
    {{"OMP_UNHEARD_OF=1", "OMP_NUM_THREADSX=1", "GOMP_=1"}, "[host] OMP_NUM_THREADS = '7'", NULL},
    {{"OMP_NUM_THREADS=4", "OMP_NUM_THREADS=5"}, "[host] OMP_NUM_THREADS = '4'", NULL},
    {{"OMP_NUM_THREADS", "OMP_DYNAMIC", "OMP_DYNAMIC_DEV_3"}, "[host] OMP_NUM_THREADS = '7'",
     NULL},

    /* what LLVM's runtime takes and libgomp does not */
    {{"OMP_DYNAMIC=1"}, "[host] OMP_DYNAMIC = 'FALSE'",
     "OMP_DYNAMIC=1: expected true or false; the default (FALSE) is used"},
    {{"OMP_CANCELLATION=yes"}, "[all] OMP_CANCELLATION = 'FALSE'",
     "OMP_CANCELLATION=yes: expected true or false; the default (FALSE) is used"},
    {{"OMP_PROC_BIND=1"}, "[host] OMP_PROC_BIND = 'FALSE'",
     "OMP_PROC_BIND=1: expected true, false, or a list of primary, close and spread; the default (FALSE) is used"},
    {{"OMP_STACKSIZE=1 MB"}, "[host] OMP_STACKSIZE = '0'",
     "OMP_STACKSIZE=1 MB: expected a size of at least 16K, with B, K (assumed), M or G; the default (0) is used"},

    /* forms for devices */
    {{"OMP_NUM_THREADS_ALL=3"}, "[host] OMP_NUM_THREADS = '3'", NULL},
    {{"OMP_NUM_THREADS_ALL=3"}, "[all] OMP_NUM_THREADS = '3'", NULL},
    {{"OMP_NUM_THREADS_ALL=3", "OMP_NUM_THREADS=2"}, "[host] OMP_NUM_THREADS = '2'", NULL},
    {{"OMP_NUM_THREADS=2", "OMP_NUM_THREADS_ALL=3"}, "[host] OMP_NUM_THREADS = '2'", NULL},
    {{"OMP_NUM_THREADS_DEV=3"}, "[host] OMP_NUM_THREADS = '7'", NULL},
    {{"OMP_NUM_THREADS_DEV=3"}, "[device] OMP_NUM_THREADS = '3'", NULL},
    {{"OMP_SCHEDULE_DEV_12=guided,4"}, "[12] OMP_SCHEDULE = 'GUIDED,4'", NULL},
    {{"OMP_DEFAULT_DEVICE_ALL=3"}, "[all] OMP_DEFAULT_DEVICE = '3'", NULL},
    {{"OMP_PROC_BIND_DEV_1=close"}, "[host] OMP_PROC_BIND = 'FALSE'", NULL},

    /* bad values */
    {{"OMP_NUM_THREADS=banana"}, "[host] OMP_NUM_THREADS = '7'",
     "OMP_NUM_THREADS=banana: expected a list of positive integers; the default (7) is used"},
    {{"OMP_NUM_THREADS=2,0", "OMP_NUM_THREADS_ALL=5"}, "[host] OMP_NUM_THREADS = '5'",
     "OMP_NUM_THREADS=2,0: expected a list of positive integers; 5 is used"},
    {{"OMP_NUM_THREADS=4294967297"}, "[host] OMP_NUM_THREADS = '7'",
     "OMP_NUM_THREADS=4294967297: expected a list of positive integers; the default (7) is used"},
    {{"OMP_MAX_ACTIVE_LEVELS=x", "OMP_NUM_THREADS=2,2"}, "[host] OMP_MAX_ACTIVE_LEVELS = '255'",
     "OMP_MAX_ACTIVE_LEVELS=x: expected an integer that is not negative; 255 is used"},
    {{"OMP_DYNAMIC=a\nb\033c"}, "[host] OMP_DYNAMIC = 'FALSE'",
     "OMP_DYNAMIC=a?b?c: expected true or false; the default (FALSE) is used"},
    {{"OMP_STACKSIZE=1k", "GOMP_STACKSIZE=1M"}, "[host] OMP_STACKSIZE = '1048576'",
     "OMP_STACKSIZE=1k: expected a size of at least 16K, with B, K (assumed), M or G; 1048576 is "
     "used"},
    {{"OMP_NUM_THREADS_DEV_2=none"}, "[host] OMP_NUM_THREADS = '7'",
     "OMP_NUM_THREADS_DEV_2=none: expected a list of positive integers; nothing is used"},
    {{"OMP_NUM_THREADS_DEV_02=1"}, "[host] OMP_NUM_THREADS = '7'",
     "OMP_NUM_THREADS_DEV_02=1: expected a device number from 0 behind _DEV_; the variable is not "
     "used"},
    {{"OMP_CANCELLATION_ALL=true"}, "[all] OMP_CANCELLATION = 'FALSE'",
     "OMP_CANCELLATION_ALL=true: expected OMP_CANCELLATION alone, which has no forms for devices; "
     "the variable is not used"},
    {{"OMP_ALLOCATOR=omp_default_mem_space:alignment=63"},
     "[host] OMP_ALLOCATOR = 'omp_default_mem_alloc'",
     "Allocator of environment variable OMP_ALLOCATOR cannot be created, using "
     "omp_default_mem_alloc instead; OMP_ALLOCATOR=omp_default_mem_space:alignment=63: expected a "
     "predefined allocator, or a memory space, perhaps with :trait=value,...; the default "
     "(omp_default_mem_alloc) is used"},
    {{"OMP_ALLOCATOR=omp_const_mem_space:alignment=8,access=none,pinned=false"},
     "[host] OMP_ALLOCATOR = 'omp_default_mem_alloc'",
     "Invalid value for environment variable OMP_ALLOCATOR when parsing: none,pinned=false"
     "; OMP_ALLOCATOR=omp_const_mem_space:alignment=8,access=none,pinned=false: expected a "
     "predefined allocator, or a memory space, perhaps with :trait=value,...; the default "
     "(omp_default_mem_alloc) is used"},
    {{"OMP_ALLOCATOR=omp_const_mem_space:pinned="}, "[host] OMP_ALLOCATOR = 'omp_default_mem_alloc'",
     "Missing value at the end of environment variable OMP_ALLOCATOR=omp_const_mem_space:pinned="
     "; OMP_ALLOCATOR=omp_const_mem_space:pinned=: expected a predefined allocator, or a memory "
     "space, perhaps with :trait=value,...; the default (omp_default_mem_alloc) is used"},
    {{"OMP_PLACES=banana"}, "[host] OMP_PROC_BIND = 'FALSE'",
     "OMP_PLACES=banana: expected threads, cores, ll_caches, sockets or numa_domains, perhaps with "
     "(number), or places like {0:4},{4:4}; no binding is used"},
    {{"OMP_PLACES={8191}", "OMP_PROC_BIND=close"}, "[host] OMP_PROC_BIND = 'CLOSE'",
     "OMP_PLACES={8191}: expected processors that this process may use; the default (threads) is "
     "used"},
};

static void check_table_case(const struct table_case *c)
{
  char *entries[6] = {NULL}, expected[600] = "", line[300];
  for (int i = 0; i < 5; i++)
    entries[i] = (char *)c->entries[i];
  child_read(&child, entries, show_verbose);
  if (c->message != NULL)
    snprintf(expected, sizeof expected, "%sghcomp: %s\n", child_needs == LLVM_NEEDED_ALONE ? "OMP: Warning #1: " : "",
             c->message);
  snprintf(line, sizeof line, "\n  %s\n", c->line);
  char *table = strstr(child.output, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n");
  if (!EXPECT_NUMBER(child.status, 0) || !EXPECT(table != NULL))
    return;
  if (!EXPECT(strstr(table, line) != NULL))
    printf("  no line \"%s\" with %s\n", c->line, c->entries[0]);
  *table = '\0';
  EXPECT_TEXT(child.output, expected);
}

/* ------------------------------------------------------------------ KMP_* variables */

static const struct table_case llvm_cases[] = {
    {{NULL}, "[host] KMP_BLOCKTIME = 'DEFAULT'", NULL},
    {{"KMP_BLOCKTIME=0"}, "[host] KMP_BLOCKTIME = '0'", NULL},
    {{"KMP_BLOCKTIME= 7 "}, "[host] KMP_BLOCKTIME = '7'", NULL},
    {{"KMP_BLOCKTIME=7ms"}, "[host] KMP_BLOCKTIME = '7'", NULL},
    {{"KMP_BLOCKTIME=150us"}, "[host] KMP_BLOCKTIME = '150us'", NULL},
    {{"KMP_BLOCKTIME=200"}, "[host] KMP_BLOCKTIME = 'DEFAULT'", NULL},
    {{"KMP_BLOCKTIME=200us"}, "[host] KMP_BLOCKTIME = '200us'", NULL},
    {{"KMP_BLOCKTIME=Infinite"}, "[host] KMP_BLOCKTIME = 'INFINITE'", NULL},
    {{"KMP_BLOCKTIME=2147483647"}, "[host] KMP_BLOCKTIME = 'INFINITE'", NULL},
    {{"KMP_BLOCKTIME=-1"}, "[host] KMP_BLOCKTIME = 'DEFAULT'",
     "KMP_BLOCKTIME=-1: expected milliseconds, microseconds with us behind, or infinite; the default (DEFAULT) is used"},
    {{"KMP_STACKSIZE=65536"}, "[host] OMP_STACKSIZE = '65536'", NULL},
    {{"KMP_STACKSIZE=64k"}, "[host] OMP_STACKSIZE = '65536'", NULL},
    {{"KMP_STACKSIZE=3 MB"}, "[host] OMP_STACKSIZE = '3145728'", NULL},
    {{"OMP_NESTED=1"}, "[host] OMP_MAX_ACTIVE_LEVELS = '1'", "OMP_NESTED=1: expected true or false; the default (FALSE) is used"},
    {{"KMP_STACKSIZE=1t"}, "[host] OMP_STACKSIZE = '1099511627776'", NULL},
    {{"KMP_STACKSIZE=2m", "OMP_STACKSIZE=1M"}, "[host] OMP_STACKSIZE = '2097152'", NULL},
    {{"KMP_STACKSIZE=100"}, "[host] OMP_STACKSIZE = '0'",
     "KMP_STACKSIZE=100: expected a size of at least 16K, with B (assumed), K, M, G or T; the default (0) is used"},
    {{"KMP_LIBRARY=serial"}, "[host] OMP_THREAD_LIMIT = '1'", NULL},
    {{"KMP_LIBRARY=turnaround"}, "[host] KMP_BLOCKTIME = 'INFINITE'", NULL},
    {{"KMP_LIBRARY=turnaround", "KMP_BLOCKTIME=3"}, "[host] KMP_LIBRARY = 'TURNAROUND'", NULL},
    {{"KMP_TEAMS_THREAD_LIMIT=5"}, "[host] KMP_TEAMS_THREAD_LIMIT = '5'", NULL},
    {{"KMP_TEAMS_PROC_BIND=close"}, "[host] KMP_TEAMS_PROC_BIND = 'CLOSE'", NULL},
    {{"KMP_HW_SUBSET=1t"}, "[host] KMP_HW_SUBSET = '1t'", NULL},
    {{"KMP_HW_SUBSET=1s@9000"}, "[host] KMP_HW_SUBSET = ''",
     "KMP_HW_SUBSET=1s@9000: expected so many sockets, cores and threads, like 1s,4c,1t, perhaps with @ and a first; the "
     "default () is used"},
    {{"KMP_ALL_THREADS=9"}, "[host] OMP_THREAD_LIMIT = '9'", NULL},
    {{"KMP_DEVICE_THREAD_LIMIT=9", "OMP_THREAD_LIMIT=3"}, "[host] OMP_THREAD_LIMIT = '3'", NULL},
    {{"KMP_WARNINGS=off", "KMP_UNHEARD_OF=1"}, "[host] KMP_WARNINGS = 'FALSE'", NULL},
    {{"KMP_DUPLICATE_LIB_OK=TRUE"}, "[host] OMP_NUM_THREADS = '7'", NULL},
    {{"KMP_INIT_AT_FORK=FALSE"}, "[host] OMP_NUM_THREADS = '7'", NULL},
    {{NULL}, "[host] KMP_INHERIT_FP_CONTROL = 'TRUE'", NULL},
    {{"KMP_INHERIT_FP_CONTROL=0"}, "[host] KMP_INHERIT_FP_CONTROL = 'FALSE'", NULL},
    {{NULL}, "[host] KMP_ENABLE_TASK_THROTTLING = 'TRUE'", NULL},
    {{"KMP_ENABLE_TASK_THROTTLING=off"}, "[host] KMP_ENABLE_TASK_THROTTLING = 'FALSE'", NULL},
    {{"KMP_ENABLE_TASK_THROTTLING=2"}, "[host] KMP_ENABLE_TASK_THROTTLING = 'TRUE'",
     "KMP_ENABLE_TASK_THROTTLING=2: expected true or false; the default (TRUE) is used"},
    {{"KMP_AFFINITY=none"}, "[host] OMP_PROC_BIND = 'FALSE'", NULL},
    {{"KMP_AFFINITY=granularity=fine,compact,1,0"}, "[host] OMP_PROC_BIND = 'CLOSE'", NULL},
    {{"KMP_AFFINITY=noverbose,balanced"}, "[host] OMP_PROC_BIND = 'SPREAD'", NULL},
    {{"KMP_AFFINITY=compact", "OMP_PROC_BIND=false"}, "[host] OMP_PROC_BIND = 'FALSE'", NULL},
    {{"KMP_AFFINITY=tight"}, "[host] OMP_PROC_BIND = 'FALSE'",
     "KMP_AFFINITY=tight: expected none, compact, scatter, balanced or explicit, with a permute and an offset behind, and "
     "granularity=fine, core, socket or proclist=[processors] before; no binding is used"},
    {{"KMP_AFFINITY=proclist=[8191],explicit"}, "[host] OMP_PROC_BIND = 'FALSE'",
     "KMP_AFFINITY=proclist=[8191],explicit: expected processors that this process may use; no binding is used"},
    {{"KMP_HIDDEN_HELPER_AFFINITY=granularity=fine,compact"},
     "[host] KMP_HIDDEN_HELPER_AFFINITY = 'granularity=fine,compact'", NULL},
    {{"KMP_HIDDEN_HELPER_AFFINITY=tight"}, "[host] OMP_PROC_BIND = 'FALSE'",
     "KMP_HIDDEN_HELPER_AFFINITY=tight: expected none, compact, scatter, balanced or explicit, with a permute and an offset "
     "behind, and granularity=fine, core, socket or proclist=[processors] before; no binding is used"},
    {{"KMP_HIDDEN_HELPER_AFFINITY=proclist=[8191],explicit"}, "[host] OMP_PROC_BIND = 'FALSE'",
     "KMP_HIDDEN_HELPER_AFFINITY=proclist=[8191],explicit: expected processors that this process may use; no binding is "
     "used"},
    {{NULL}, "[host] LIBOMP_NUM_HIDDEN_HELPER_THREADS = '8'", NULL},
    {{"LIBOMP_NUM_HIDDEN_HELPER_THREADS=1023"}, "[host] LIBOMP_NUM_HIDDEN_HELPER_THREADS = '1023'", NULL},
    {{"LIBOMP_NUM_HIDDEN_HELPER_THREADS=1024"}, "[host] LIBOMP_NUM_HIDDEN_HELPER_THREADS = '8'",
     "LIBOMP_NUM_HIDDEN_HELPER_THREADS=1024: expected a number from 0 to 1023; the default (8) is used"},
    {{"LIBOMP_USE_HIDDEN_HELPER_TASK=0", "LIBOMP_NUM_HIDDEN_HELPER_THREADS=3"},
     "[host] LIBOMP_NUM_HIDDEN_HELPER_THREADS = '0'", NULL},
    {{"LIBOMP_UNHEARD_OF=1"}, "[host] OMP_NUM_THREADS = '7'",
     "LIBOMP_UNHEARD_OF: LLVM's and Intel's runtimes have such a setting, and this one does not; nothing is changed by it "
     "(KMP_WARNINGS=0 turns this message off)"},
    {{"KMP_TASKING=1"}, "[host] OMP_NUM_THREADS = '7'",
     "KMP_TASKING: LLVM's and Intel's runtimes have such a setting, and this one does not; nothing is changed by it "
     "(KMP_WARNINGS=0 turns this message off)"},
    {{"KMP_TASKING=1", "KMP_BLOCKTIME=3", "KMP_GTID_MODE=1"}, "[host] KMP_BLOCKTIME = '3'",
     "KMP_TASKING, KMP_GTID_MODE: LLVM's and Intel's runtimes have such settings, and this one does not; nothing is "
     "changed by it (KMP_WARNINGS=0 turns this message off)"},
    {{"KMP_VERSION=yes"}, "[host] OMP_NUM_THREADS = '7'",
     "version " GHCOMP_VERSION ", for code of GCC's, LLVM's and Intel's compilers"},
};

/* A program without code of GCC: defaults are those of LLVM's runtime, and messages begin as its
   messages do.  */
static const struct table_case alone_cases[] = {
    {{NULL}, "[host] OMP_SCHEDULE = 'STATIC'", NULL},
    {{"OMP_NESTED=1"}, "[host] OMP_MAX_ACTIVE_LEVELS = '255'", NULL},
    {{"OMP_NESTED= .True. "}, "[host] OMP_MAX_ACTIVE_LEVELS = '255'", NULL},
    {{"OMP_NESTED=no", "OMP_NUM_THREADS=2,2"}, "[host] OMP_MAX_ACTIVE_LEVELS = '1'", NULL},
    {{"OMP_CANCELLATION=yes"}, "[all] OMP_CANCELLATION = 'TRUE'", NULL},
    {{"OMP_CANCELLATION=enabled"}, "[all] OMP_CANCELLATION = 'TRUE'", NULL},
    {{"OMP_CANCELLATION=true"}, "[all] OMP_CANCELLATION = 'TRUE'", NULL},
    {{"OMP_CANCELLATION=2"}, "[all] OMP_CANCELLATION = 'FALSE'",
     "OMP_CANCELLATION=2: expected true or false; the default (FALSE) is used"},
    {{"OMP_DYNAMIC=on"}, "[host] OMP_DYNAMIC = 'TRUE'", NULL},
    {{"OMP_DYNAMIC=T"}, "[host] OMP_DYNAMIC = 'TRUE'", NULL},
    {{"OMP_DISPLAY_AFFINITY=1"}, "[all] OMP_DISPLAY_AFFINITY = 'TRUE'", NULL},
    {{"OMP_DISPLAY_ENV=on"}, "[host] OMP_SCHEDULE = 'STATIC'", NULL},
    {{"OMP_PROC_BIND=1"}, "[host] OMP_PROC_BIND = 'TRUE'", NULL},
    {{"OMP_PROC_BIND=disabled"}, "[host] OMP_PROC_BIND = 'FALSE'", NULL},
    {{"OMP_PROC_BIND=4, close,2"}, "[host] OMP_PROC_BIND = 'SPREAD,CLOSE,MASTER'", NULL},
    {{"OMP_PROC_BIND=yes"}, "[host] OMP_PROC_BIND = 'FALSE'",
     "OMP_PROC_BIND=yes: expected true, false, or a list of primary, close and spread; the default (FALSE) is used"},
    {{"OMP_STACKSIZE=1 MB"}, "[host] OMP_STACKSIZE = '1048576'", NULL},
    {{"OMP_STACKSIZE=512kb "}, "[host] OMP_STACKSIZE = '524288'", NULL},
    {{"OMP_STACKSIZE=100000b"}, "[host] OMP_STACKSIZE = '100000'", NULL},
    {{"GOMP_STACKSIZE=1Gb"}, "[host] OMP_STACKSIZE = '1073741824'", NULL},
    {{"OMP_SCHEDULE=trapezoidal,13"}, "[host] OMP_SCHEDULE = 'TRAPEZOIDAL,13'", NULL},
    {{"OMP_SCHEDULE=static_steal"}, "[host] OMP_SCHEDULE = 'DYNAMIC'", NULL},
    {{NULL}, "[host] OMP_AFFINITY_FORMAT = 'OMP: pid %P tid %i thread %n bound to OS proc set {%A}'", NULL},
    {{"OMP_NUM_THREADS=banana"}, "[host] OMP_NUM_THREADS = '7'",
     "OMP_NUM_THREADS=banana: expected a list of positive integers; the default (7) is used"},
    {{"OMP_PLACES=banana"}, "[host] OMP_PROC_BIND = 'TRUE'",
     "OMP_PLACES=banana: expected threads, cores, ll_caches, sockets or numa_domains, perhaps with "
     "(number), or places like {0:4},{4:4}; cores is used"},
    {{"OMP_PLACES=sockets("}, "[host] OMP_PROC_BIND = 'TRUE'",
     "OMP_PLACES=sockets(: expected threads, cores, ll_caches, sockets or numa_domains, perhaps with "
     "(number), or places like {0:4},{4:4}; sockets is used"},
    {{"OMP_PLACES=Threads()"}, "[host] OMP_PROC_BIND = 'TRUE'",
     "OMP_PLACES=Threads(): expected threads, cores, ll_caches, sockets or numa_domains, perhaps with "
     "(number), or places like {0:4},{4:4}; threads is used"},
    {{"KMP_DISP_NUM_BUFFERS=0"}, "[host] OMP_NUM_THREADS = '7'",
     "KMP_DISP_NUM_BUFFERS is too small; KMP_DISP_NUM_BUFFERS=0: expected a number from 1 to 4096; the default is used"},
    {{"KMP_DISP_NUM_BUFFERS=4096"}, "[host] OMP_NUM_THREADS = '7'", NULL},
};

static int show_late(void)
{
  ghcomp_env_read_late();
  ghcomp_env_display(true);
  return 0;
}

/* Without LLVM's code, KMP_* variables are ignored.  If such code is loaded later, they take effect
   where they still can.  */
static void check_llvm(void)
{
  char *entries[] = {"KMP_BLOCKTIME=0", "KMP_AFFINITY=tight", "KMP_TASKING=1", "KMP_VERSION=1", "KMP_SETTINGS=1", NULL};
  child_read(&child, entries, NULL);
  EXPECT_TEXT(child.output, "");
  entries[2] = NULL;
  child_read(&child, entries, show_late);
  EXPECT(strstr(child.output, "KMP_AFFINITY: expected before the program began") != NULL);
  EXPECT(strstr(child.output, "[host] KMP_BLOCKTIME = '0'") != NULL);
  entries[0] = "KMP_SETTINGS=true", entries[1] = NULL;
  child_needs = LLVM_NEEDED;
  child_read(&child, entries, NULL);
  EXPECT(strstr(child.output, "User settings:\n\n   KMP_SETTINGS=true\n\nEffective settings:\n\n") != NULL);
  EXPECT(strstr(child.output, "   KMP_BLOCKTIME='DEFAULT'\n") != NULL);
  for (size_t i = 0; i < sizeof llvm_cases / sizeof llvm_cases[0]; i++)
    check_table_case(&llvm_cases[i]);
  child_needs = LLVM_NEEDED_ALONE;
  for (size_t i = 0; i < sizeof alone_cases / sizeof alone_cases[0]; i++)
    check_table_case(&alone_cases[i]);
  child_needs = LLVM_NOT_NEEDED;
}

static int set_defaults(void)
{
  struct icv icv = ghcomp_settings.initial;
  ghcomp_env_set("KMP_BLOCKTIME=3|OMP_NUM_THREADS=5||OMP_SCHEDULE=guided,2", &icv);
  EXPECT_NUMBER(ghcomp_settings.block_time, 3000);
  EXPECT_NUMBER(icv.nthreads, 5);
  EXPECT_NUMBER(icv.run_chunk, 2);
  EXPECT_NUMBER(ghcomp_settings.initial.nthreads, 0);
  EXPECT_NUMBER(ghcomp_settings.initial.run_schedule, SCHEDULE_DYNAMIC);
  return expect_result();
}

static int set_nonsense(void)
{
  struct icv icv = ghcomp_settings.initial;
  ghcomp_env_set("KMP_LOCK_KIND=tas|nothing|OMP_NUM_THREADS=-1", &icv);
  EXPECT_NUMBER(icv.nthreads, 0);
  return expect_result();
}

static void check_set(void)
{
  char *entries[] = {NULL};
  child_read(&child, entries, set_defaults);
  EXPECT_NUMBER(child.status, 0);
  EXPECT_TEXT(child.output, "");
  child_read(&child, entries, set_nonsense);
  EXPECT_NUMBER(child.status, 0);
  EXPECT(strstr(child.output, "kmp_set_defaults(\"KMP_LOCK_KIND=tas\"): expected NAME=VALUE") != NULL);
  EXPECT(strstr(child.output, "kmp_set_defaults(\"nothing\"): expected NAME=VALUE") != NULL);
  EXPECT(strstr(child.output, "kmp_set_defaults(\"OMP_NUM_THREADS=-1\"): expected a list of positive") != NULL);
}

/* ------------------------------------------------------------- what the ICVs become */

/* Checks in the child, whose exit status is the result.  */
static void check_in_child(const char *a, const char *b, int (*look)(void))
{
  char *entries[] = {(char *)a, (char *)b, NULL};
  child_read(&child, entries, look);
  if (!EXPECT_NUMBER(child.status, 0))
    printf("  with %s\n", a != NULL ? a : "no variables");
}

static int look_defaults(void)
{
  const struct settings *s = &ghcomp_settings;
  EXPECT_NUMBER(s->initial.nthreads, 0);
  EXPECT_NUMBER(s->initial.thread_limit, UINT_MAX);
  EXPECT_NUMBER(s->initial.run_schedule, SCHEDULE_DYNAMIC);
  EXPECT_NUMBER(s->initial.run_chunk, 1);
  EXPECT_NUMBER(s->initial.max_active_levels, 1);
  EXPECT_NUMBER(s->initial.default_allocator, omp_default_mem_alloc);
  EXPECT_NUMBER(s->initial.default_device, 0);
  EXPECT_NUMBER(s->initial.bind, BIND_FALSE);
  EXPECT_NUMBER(s->wait_policy, -1);
  EXPECT_TEXT(s->affinity_format, "level %L thread %i affinity %A");
  EXPECT_NUMBER(ghcomp_places.count, 0);
  EXPECT(!s->spin_count_set && !s->cancellation && s->initial.dynamic == DYNAMIC_BY_HOST);
  return expect_result();
}

static int look_lists(void)
{
  const struct settings *s = &ghcomp_settings;
  EXPECT_NUMBER(s->nthreads_list_length, 3);
  EXPECT_NUMBER(s->initial.nthreads, 4);
  EXPECT_NUMBER(s->nthreads_list[2], 2);
  EXPECT_NUMBER(s->bind_list_length, 2);
  EXPECT_NUMBER(s->initial.bind, BIND_SPREAD);
  EXPECT_NUMBER(s->bind_list[1], BIND_PRIMARY);
  EXPECT(ghcomp_places.count > 0);
  return expect_result();
}

static int look_static(void)
{
  EXPECT_NUMBER(ghcomp_settings.initial.run_schedule, SCHEDULE_STATIC | SCHEDULE_MONOTONIC);
  EXPECT_NUMBER(ghcomp_settings.initial.run_chunk, 0);
  return expect_result();
}

static int look_auto(void)
{
  EXPECT_NUMBER(ghcomp_settings.initial.run_schedule, SCHEDULE_AUTO);
  EXPECT_NUMBER(ghcomp_settings.initial.run_chunk, 1);
  return expect_result();
}

static int look_unbound(void)
{
  EXPECT_NUMBER(ghcomp_settings.initial.bind, BIND_FALSE);
  EXPECT_NUMBER(ghcomp_places.count, 0);
  return expect_result();
}

static int look_bound(void)
{
  EXPECT_NUMBER(ghcomp_settings.initial.bind, BIND_TRUE);
  EXPECT(ghcomp_places.count > 0);
  return expect_result();
}

static int look_allocator(void)
{
  EXPECT_NUMBER(ghcomp_settings.initial.default_allocator, 4096);
  return expect_result();
}

static int look_host_without_capabilities(void)
{
  host_capabilities = 0;
  EXPECT(ghcomp_icv_default_threads() >= 1);
  host_capabilities = 12;
  EXPECT_NUMBER(ghcomp_icv_default_threads(), 12);
  return expect_result();
}

static void check_icvs(void)
{
  check_in_child(NULL, NULL, look_defaults);
  check_in_child("OMP_NUM_THREADS=4,3,2", "OMP_PROC_BIND=spread,primary", look_lists);
  check_in_child("OMP_SCHEDULE=static", NULL, look_static);
  check_in_child("OMP_SCHEDULE=auto", NULL, look_auto);
  check_in_child("OMP_PLACES=threads", "OMP_PROC_BIND=false", look_unbound);
  check_in_child("GOMP_CPU_AFFINITY=x", NULL, look_unbound);
  check_in_child("OMP_PLACES=cores(1)", NULL, look_bound);
  check_in_child("OMP_PROC_BIND=true", "OMP_PLACES=!", look_bound);
  check_in_child("OMP_ALLOCATOR=omp_const_mem_space:pinned=true,access=all", NULL,
                 look_allocator);
  check_in_child(NULL, NULL, look_host_without_capabilities);
}

/* ------------------------------------------------------------------------ the table */

static void check_order(void)
{
  char *entries[] = {"OMP_DISPLAY_ENV=true", "OMP_DYNAMIC_DEV_10=true", "OMP_DYNAMIC_DEV_9=true",
                     "OMP_DYNAMIC_DEV=true", "OMP_DYNAMIC_ALL=false", NULL};
  child_read(&child, entries, NULL);
  EXPECT(strstr(child.output, "  [host] OMP_DYNAMIC = 'FALSE'\n"
                              "  [all] OMP_DYNAMIC = 'FALSE'\n"
                              "  [device] OMP_DYNAMIC = 'TRUE'\n"
                              "  [9] OMP_DYNAMIC = 'TRUE'\n"
                              "  [10] OMP_DYNAMIC = 'TRUE'\n"
                              "  [host] OMP_NESTED = ") != NULL);
  EXPECT(strstr(child.output, "GOMP_") == NULL && strstr(child.output, "GHCOMP_") == NULL);
  entries[0] = "OMP_DISPLAY_ENV=VERBOSE";
  child_read(&child, entries, NULL);
  EXPECT(strstr(child.output, "  [host] GOMP_SPINCOUNT = ") != NULL);
  EXPECT(strstr(child.output, "  _OPENMP = '201511'\n"
                              "  _GHCOMP_VERSION = '" GHCOMP_VERSION "'\n"
                              "  _GHCOMP_LIBRARY = '/a/path'\n"
                              "  _GHCOMP_PROCESS = '") != NULL);
}

/* A list longer than any buffer.  */
static void check_long_list(void)
{
  static char entry[100000] = "OMP_NUM_THREADS=1";
  for (size_t i = strlen(entry); i + 2 < sizeof entry; i += 2)
    strcpy(entry + i, ",1");
  char *entries[] = {entry, NULL};
  child_read(&child, entries, show_verbose);
  EXPECT_NUMBER(child.status, 0);
  EXPECT(strstr(child.output, ",1,1,1,1'\n") != NULL);
}

/* An environment without our variables takes almost no time.  */
static void check_speed(void)
{
  struct timespec begin, end;
  long best = LONG_MAX;
  environ = (char *[]){"HOME=/", "PATH=/bin", "LANG=C", NULL};
  for (int i = 0; i < 20; i++) {
    clock_gettime(CLOCK_MONOTONIC, &begin);
    ghcomp_env_read(LLVM_NOT_NEEDED);
    clock_gettime(CLOCK_MONOTONIC, &end);
    long ns = (end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec;
    best = ns < best ? ns : best;
  }
  EXPECT(best < 50000);
}

int main(void)
{
  for (size_t i = 0; i < sizeof table_cases / sizeof table_cases[0]; i++)
    check_table_case(&table_cases[i]);
  check_llvm();
  check_set();
  check_icvs();
  check_order();
  check_long_list();
  check_speed();
  return expect_result();
}
