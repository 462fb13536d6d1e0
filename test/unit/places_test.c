/* storey: places
   link: -Wl,--wrap=sched_getaffinity */
/* Places: the grammar, abstract names on invented machines, and the places of a team's members.  */
#include "expect.h"

#include "places/places.h"
#include "settings/icv.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The list as ghcomp_places_print writes it; frees the list.  */
static const char *printed(struct place_list *list)
{
  static char text[4096];
  ghcomp_places = (struct places){list->count, list->places};
  ghcomp_places_print(text, sizeof text);
  ghcomp_places_drop();
  return text;
}

/* ----------------------------------------------------------------------- grammar */

struct text_case {
  const char *text, *list; /* NULL: not in the grammar */
};

static const struct text_case list_cases[] = {
    {"{0}", "{0}"}, {"0", "{0}"}, {" { 0 , 1 } , 2 ", "{0:2},{2}"}, {"{0:4}", "{0:4}"},
    {"{0:4:2}", "{0,2,4,6}"}, {"{6:4:-2}", "{0,2,4,6}"}, {"{0:2:0}", "{0}"},
    {"{0:4}:2:4", "{0:4},{4:4}"}, {"{0:4,!2}", "{0:2,3}"}, {"0:3", "{0},{1},{2}"},
    {"0:3:2", "{0},{2},{4}"}, {"{6,7}:4:-2", "{6:2},{4:2},{2:2},{0:2}"},
    {"{6,7}:4:-2,!{2,3}", "{6:2},{4:2},{0:2}"}, {"{0}:2:0", "{0},{0}"},
    {"0,1,!0", "{1}"}, {"{0},{1},{0},!{0}", "{1}"}, {"{1,0,1}", "{0:2}"}, {"{3,1}", "{1,3}"},
    {"{8191}", "{8191}"}, {"+1:+2", NULL}, {"0:2:+1", "{0},{1}"}, {"{63:2}", "{63:2}"},

    {"", NULL}, {" ", NULL}, {"{}", NULL}, {"{0", NULL}, {"0}", NULL}, {"{0}}", NULL},
    {"{0},", NULL}, {",{0}", NULL}, {"{0},,{1}", NULL}, {"{0,}", NULL}, {"{,0}", NULL},
    {"{0} {1}", NULL}, {"{-1}", NULL}, {"{0:0}", NULL}, {"{0:-1}", NULL}, {"{0:}", NULL},
    {"{0:1:}", NULL}, {"{0}:0", NULL}, {"{0}:", NULL}, {"{0}:1:", NULL}, {"{0}:3:-1", NULL},
    {"{0:2:-1}", NULL}, {"{0-1}", NULL}, {"{8192}", NULL}, {"{0:8193}", NULL},
    {"{0}:8193:0", NULL}, {"{0}:8192:0,0", NULL}, {"{99999999999999999999}", NULL},
    {"{0:2,!2}", NULL}, {"{!0}", NULL}, {"{0,!0}", NULL}, {"!{0}", NULL}, {"{0},!{1}", NULL},
    {"{0,1},!{0}", NULL}, {"{0},!{0}", NULL}, {"{0}:2,!{0}:2", NULL}, {"{!8192}", NULL},
    {"threads", NULL}, {"{a}", NULL}, {"{0x1}", NULL},
};

static const struct text_case affinity_cases[] = {
    {"0", "{0}"}, {"3 0", "{3},{0}"}, {"0,1 , 2", "{0},{1},{2}"}, {"0-3", "{0},{1},{2},{3}"},
    {"0-7:3", "{0},{3},{6}"}, {"1 0 1", "{1},{0},{1}"}, {" 4-4 ", "{4}"}, {"0 - 1", "{0},{1}"},
    {"", NULL}, {" ", NULL}, {",", NULL}, {"0,", NULL}, {",0", NULL}, {"0,,1", NULL}, {"-1", NULL},
    {"3-1", NULL}, {"0-", NULL}, {"0-1:0", NULL}, {"0-1:-1", NULL}, {"0-1:", NULL}, {"x", NULL},
    {"0x", NULL}, {"8192", NULL}, {"0:2", NULL}, {"99999999999999999999", NULL},
};

static void check_texts(const struct text_case *cases, size_t count,
                        bool (*parse)(const char *, struct place_list *))
{
  for (size_t i = 0; i < count; i++) {
    struct place_list list;
    bool ok = parse(cases[i].text, &list);
    bool good = EXPECT_NUMBER(ok, cases[i].list != NULL);
    if (ok && cases[i].list != NULL)
      good &= EXPECT_TEXT(printed(&list), cases[i].list);
    else
      EXPECT_NUMBER(list.count, 0);
    if (!good)
      printf("  of '%s'\n", cases[i].text);
  }
}

static void check_name(const char *text, bool ok, enum place_level level, unsigned most)
{
  enum place_level got = LEVEL_THREADS;
  unsigned got_most = 0;
  if (!EXPECT_NUMBER(ghcomp_places_topology_name(text, &got, &got_most), ok))
    printf("  of '%s'\n", text);
  if (ok) {
    EXPECT_NUMBER(got, level);
    EXPECT_NUMBER(got_most, most);
  }
}

static void check_names(void)
{
  check_name("threads", true, LEVEL_THREADS, MOST_PLACES);
  check_name(" Cores ", true, LEVEL_CORES, MOST_PLACES);
  check_name("ll_caches(3)", true, LEVEL_CACHES, 3);
  check_name("SOCKETS ( 2 ) ", true, LEVEL_SOCKETS, 2);
  check_name("numa_domains(2147483647)", true, LEVEL_NODES, MOST_PLACES);
  static const char *const bad[] = {"", "thread", "threads(0)", "threads(-1)", "threads()",
                                    "threads(1", "threads)", "threads 1", "threads(1)x",
                                    "threads(1)(2)", "(1)", "threads,cores", "{0}"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    check_name(bad[i], false, LEVEL_THREADS, 0);
}

/* ---------------------------------------------------------------------- topology */

static char root[] = "/tmp/ghcomp-places-XXXXXX";

/* Writes the file below the root, and creates the folders that it needs.  */
static void write_file(const char *name, const char *text)
{
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/", root);
  snprintf(path + length, sizeof path - (size_t)length, "%s", name);
  for (char *p = path + length; (p = strchr(p, '/')) != NULL; p++) {
    *p = '\0';
    mkdir(path, 0700);
    *p = '/';
  }
  FILE *file = fopen(path, "w");
  if (file == NULL)
    abort();
  fputs(text, file);
  fclose(file);
}

static void write_cpu_file(int cpu, const char *name, const char *text)
{
  char path[128];
  snprintf(path, sizeof path, "cpu/cpu%d/%s", cpu, name);
  write_file(path, text);
}

/* Two sockets of two cores of two threads.  The threads of a core are n and n + 4.  Each core has a
   last-level cache, which is the third that the kernel lists.  */
static void build_machine(void)
{
  static const char *const cores[] = {"0,4\n", "1,5\n", "2,6\n", "3,7\n"};
  for (int cpu = 0; cpu < 8; cpu++) {
    write_cpu_file(cpu, "topology/thread_siblings_list", cores[cpu % 4]);
    write_cpu_file(cpu, "topology/package_cpus_list", cpu % 4 < 2 ? "0-1,4-5\n" : "2-3,6-7\n");
    write_cpu_file(cpu, "cache/index0/level", "1\n");
    write_cpu_file(cpu, "cache/index0/shared_cpu_list", "0-7\n");
    write_cpu_file(cpu, "cache/index1/level", "2\n");
    write_cpu_file(cpu, "cache/index1/shared_cpu_list", cores[cpu % 4]);
    write_cpu_file(cpu, "cache/index2/level", "1\n");
    write_cpu_file(cpu, "cache/index2/shared_cpu_list", "0-7\n");
  }
  write_file("node/online", "0,2-3\n");
  write_file("node/node0/cpulist", "0-3\n");
  write_file("node/node2/cpulist", "\n");
  write_file("node/node3/cpulist", "4-7\n");
}

static void check_group(enum place_level level, unsigned most, const struct processor_set *allowed,
                        const char *expected)
{
  struct place_list list;
  ghcomp_places_topology_group(root, level, most, allowed, &list);
  EXPECT_TEXT(printed(&list), expected);
}

static struct processor_set processors(int first, int last)
{
  struct processor_set place = {{0}};
  for (int cpu = first; cpu <= last; cpu++)
    ghcomp_processors_add(&place, cpu);
  return place;
}

/* KMP_AFFINITY on that machine.  */
struct kmp_case {
  const char *text;
  int bind; /* -1: not in the grammar */
  const char *list;
};

static const struct kmp_case kmp_cases[] = {
    {"compact", BIND_CLOSE, "{0,4},{1,5},{2,6},{3,7}"},
    {"scatter", BIND_CLOSE, "{0,4},{2,6},{1,5},{3,7}"},
    {"balanced", BIND_SPREAD, "{0,4},{1,5},{2,6},{3,7}"},
    {"granularity=fine,compact", BIND_CLOSE, "{0},{4},{1},{5},{2},{6},{3},{7}"},
    {"granularity=fine,compact,1,0", BIND_CLOSE, "{0},{1},{2},{3},{4},{5},{6},{7}"},
    {"granularity=thread,compact,2", BIND_CLOSE, "{0},{2},{1},{3},{4},{6},{5},{7}"},
    {"Granularity=FINE,Scatter", BIND_CLOSE, "{0},{2},{1},{3},{4},{6},{5},{7}"},
    {"granularity=fine,scatter,1", BIND_CLOSE, "{0},{1},{2},{3},{4},{5},{6},{7}"},
    {"granularity=fine,compact,9", BIND_CLOSE, "{0},{2},{1},{3},{4},{6},{5},{7}"},
    {"compact,granularity=socket", BIND_CLOSE, "{0:2,4:2},{2:2,6:2}"},
    {"verbose,norespect,compact,0,1", BIND_CLOSE, "{1,5},{2,6},{3,7},{0,4}"},
    {"compact,0,5", BIND_CLOSE, "{1,5},{2,6},{3,7},{0,4}"},
    {"verbose,reset,compact", BIND_CLOSE, "{0,4},{1,5},{2,6},{3,7}"},
    {"verbose,reset,noreset,compact,0,1", BIND_CLOSE, "{1,5},{2,6},{3,7},{0,4}"},
    {"proclist=[7,{0,4},1-3:2],explicit", BIND_CLOSE, "{7},{0,4},{1},{3}"},
    {"explicit,granularity=fine,proclist=[{0-2,5}]", BIND_CLOSE, "{0:3,5}"},
    {"none", BIND_FALSE, ""}, {"disabled", BIND_FALSE, ""}, {"verbose", BIND_FALSE, ""},
    {"granularity=fine", BIND_FALSE, ""},

    {"", -1, ""}, {",", -1, ""}, {"compact,", -1, ""}, {",compact", -1, ""}, {"tight", -1, ""},
    {"compact,scatter", -1, ""}, {"compact,1,2,3", -1, ""}, {"compact,-1", -1, ""}, {"compact,1000000", -1, ""},
    {"granularity=tiny,compact", -1, ""}, {"granularity,compact", -1, ""}, {"size=1,compact", -1, ""},
    {"explicit", -1, ""}, {"proclist=[0]", -1, ""}, {"proclist=[0],compact", -1, ""}, {"proclist=[,explicit", -1, ""},
    {"proclist=[],explicit", -1, ""}, {"proclist=[3-1],explicit", -1, ""}, {"proclist=[0-1:0],explicit", -1, ""},
    {"proclist=[0,explicit", -1, ""}, {"proclist=[{0],explicit", -1, ""}, {"proclist=[{}],explicit", -1, ""},
    {"proclist=[8192],explicit", -1, ""}, {"proclist=0,explicit", -1, ""},
    {"proclist=[99999999999999999999],explicit", -1, ""},
};

static void check_kmp(const struct processor_set *allowed)
{
  struct place_list list;
  for (size_t i = 0; i < sizeof kmp_cases / sizeof kmp_cases[0]; i++) {
    struct kmp_modifiers modifiers = {0};
    bool resets = strstr(kmp_cases[i].text, ",reset,compact") != NULL;
    bool verbose = kmp_cases[i].bind >= 0 && strstr(kmp_cases[i].text, "verbose") != NULL;
    int bind = ghcomp_places_parse_kmp(root, kmp_cases[i].text, allowed, &list, &modifiers);
    if (!EXPECT_NUMBER(bind, kmp_cases[i].bind) || !EXPECT_TEXT(printed(&list), kmp_cases[i].list) ||
        !EXPECT_NUMBER(modifiers.resets, resets) || !EXPECT_NUMBER(modifiers.verbose, verbose))
      printf("  with KMP_AFFINITY=%s\n", kmp_cases[i].text);
  }
}

struct levels_case {
  const char *text;
  unsigned inside;
};

static const struct levels_case levels_cases[] = {
    {"compact", 1}, {"granularity=fine,compact", 0}, {"granularity=thread,scatter", 0}, {"granularity=core,balanced", 1},
    {"granularity=ll_cache,compact", 2}, {"granularity=socket,compact", 2}, {"granularity=node,compact", 2},
    {"verbose,noverbose", 1},
};

static void check_levels(const struct processor_set *allowed)
{
  for (size_t i = 0; i < sizeof levels_cases / sizeof levels_cases[0]; i++) {
    struct kmp_modifiers modifiers = {.verbose = true};
    struct place_list list;
    EXPECT(ghcomp_places_parse_kmp(root, levels_cases[i].text, allowed, &list, &modifiers) >= 0);
    ghcomp_place_list_free(&list);
    if (!EXPECT_NUMBER(modifiers.levels_inside, levels_cases[i].inside) || !EXPECT(!modifiers.verbose) ||
        !EXPECT_NUMBER(ghcomp_places_kmp_modifiers(levels_cases[i].text).levels_inside, levels_cases[i].inside))
      printf("  with KMP_AFFINITY=%s\n", levels_cases[i].text);
  }
  EXPECT(ghcomp_places_kmp_modifiers("verbose,explicit,proclist=[0]").verbose);
  EXPECT(!ghcomp_places_kmp_modifiers("verbose,tight").verbose);
}

/* What KMP_AFFINITY=verbose says of the machine.  */
static void check_said(const struct processor_set *allowed, const char *expected)
{
  char said[2048] = "";
  int pipe_ends[2], before = dup(STDERR_FILENO);
  EXPECT_NUMBER(pipe(pipe_ends), 0);
  dup2(pipe_ends[1], STDERR_FILENO);
  ghcomp_places_say_machine(root, "K", allowed);
  ghcomp_places_say_migration("K", 2);
  dup2(before, STDERR_FILENO);
  close(before);
  close(pipe_ends[1]);
  EXPECT(read(pipe_ends[0], said, sizeof said - 1) > 0);
  close(pipe_ends[0]);
  EXPECT_TEXT(said, expected);
}

static void check_verbose(const struct processor_set *all)
{
  struct processor_set one = processors(2, 2), some = processors(0, 4);
  check_said(all, "OMP: Info #155: K: Initial OS proc set respected: 0-7\n"
                  "OMP: Info #157: K: 8 available OS procs\n"
                  "OMP: Info #158: K: Uniform topology\n"
                  "OMP: Info #191: K: 2 sockets x 2 cores/socket x 2 threads/core (4 total cores)\n"
                  "OMP: Info #218: K: OS proc to physical thread map:\n"
                  "OMP: Info #172: K: OS proc 0 maps to socket 0 core 0 thread 0\n"
                  "OMP: Info #172: K: OS proc 4 maps to socket 0 core 0 thread 1\n"
                  "OMP: Info #172: K: OS proc 1 maps to socket 0 core 1 thread 0\n"
                  "OMP: Info #172: K: OS proc 5 maps to socket 0 core 1 thread 1\n"
                  "OMP: Info #172: K: OS proc 2 maps to socket 1 core 0 thread 0\n"
                  "OMP: Info #172: K: OS proc 6 maps to socket 1 core 0 thread 1\n"
                  "OMP: Info #172: K: OS proc 3 maps to socket 1 core 1 thread 0\n"
                  "OMP: Info #172: K: OS proc 7 maps to socket 1 core 1 thread 1\n"
                  "OMP: Info #145: K: Threads may migrate across 2 innermost levels of machine\n");
  check_said(&some, "OMP: Info #155: K: Initial OS proc set respected: 0-4\n"
                    "OMP: Info #157: K: 5 available OS procs\n"
                    "OMP: Info #159: K: Nonuniform topology\n"
                    "OMP: Info #191: K: 2 sockets x 2 cores/socket x 2 threads/core (4 total cores)\n"
                    "OMP: Info #218: K: OS proc to physical thread map:\n"
                    "OMP: Info #172: K: OS proc 0 maps to socket 0 core 0 thread 0\n"
                    "OMP: Info #172: K: OS proc 4 maps to socket 0 core 0 thread 1\n"
                    "OMP: Info #172: K: OS proc 1 maps to socket 0 core 1 thread 0\n"
                    "OMP: Info #172: K: OS proc 2 maps to socket 1 core 0 thread 0\n"
                    "OMP: Info #172: K: OS proc 3 maps to socket 1 core 1 thread 0\n"
                    "OMP: Info #145: K: Threads may migrate across 2 innermost levels of machine\n");
  check_said(&one, "OMP: Info #155: K: Initial OS proc set respected: 2\n"
                   "OMP: Info #157: K: 1 available OS procs\n"
                   "OMP: Info #158: K: Uniform topology\n"
                   "OMP: Info #191: K: 1 socket x 1 core/socket x 1 thread/core (1 total cores)\n"
                   "OMP: Info #218: K: OS proc to physical thread map:\n"
                   "OMP: Info #172: K: OS proc 2 maps to socket 0 core 0 thread 0\n"
                   "OMP: Info #145: K: Threads may migrate across 2 innermost levels of machine\n");
}

/* KMP_HW_SUBSET on that machine; NULL: not in the grammar, or no processor is left.  */
static const struct text_case subset_cases[] = {
    {"1s", "{0:2,4:2}"}, {"1s@1", "{2:2,6:2}"}, {"1c", "{0,2,4,6}"}, {"1c@1", "{1,3,5,7}"}, {"1t", "{0:4}"},
    {"1t@1", "{4:4}"}, {"1s,1c,1t", "{0}"}, {"1T,1S,1C", "{0}"}, {"2sockets,1core@1,*thread", "{1,3,5,7}"},
    {"9s", "{0:8}"}, {":1s", "{0:2,4:2}"}, {":1s,1t", "{0}"}, {":1s,2t", "{0,4}"}, {":1s,2t@1", "{1,4}"},
    {":2t@3", "{2,5}"}, {":1c@2", "{2,6}"}, {":1t@1,1c@3", "{7}"}, {":2s,1c,1t", "{0,2}"},
    {"", NULL}, {"1", NULL}, {"s", NULL}, {"0s", NULL}, {"1s,", NULL}, {",1s", NULL}, {"1q", NULL}, {"1sx1c", NULL}, {"1s@", NULL},
    {"1s@2", NULL}, {":", NULL}, {"::1s", NULL}, {"1s:", NULL}, {":1s@2", NULL}, {":1s,1t@4", NULL}, {":1t@8", NULL}, {"-1s", NULL}, {"99999999999999999999s", NULL},
};

static void check_subsets(const struct processor_set *allowed)
{
  for (size_t i = 0; i < sizeof subset_cases / sizeof subset_cases[0]; i++) {
    struct processor_set subset;
    struct place_list list = {NULL, 0};
    bool read = ghcomp_places_parse_subset(root, subset_cases[i].text, allowed, &subset);
    if (read)
      ghcomp_place_list_append(&list, &subset);
    if (!EXPECT_NUMBER(read, subset_cases[i].list != NULL) || !EXPECT_TEXT(printed(&list), read ? subset_cases[i].list : ""))
      printf("  with KMP_HW_SUBSET=%s\n", subset_cases[i].text);
  }
}

static void check_knows(const struct processor_set *allowed, bool cores_and_sockets)
{
  EXPECT_NUMBER(ghcomp_places_topology_knows(root, LEVEL_CORES, allowed), cores_and_sockets);
  EXPECT_NUMBER(ghcomp_places_topology_knows(root, LEVEL_SOCKETS, allowed), cores_and_sockets);
  EXPECT(ghcomp_places_topology_knows(root, LEVEL_THREADS, allowed));
  EXPECT(ghcomp_places_topology_knows(root, LEVEL_NODES, allowed));
}

static void check_topology(void)
{
  struct processor_set all = processors(0, 7), some = processors(3, 6), strange = processors(6, 9);
  if (mkdtemp(root) == NULL)
    abort();
  build_machine();
  check_group(LEVEL_THREADS, MOST_PLACES, &all, "{0},{1},{2},{3},{4},{5},{6},{7}");
  check_group(LEVEL_THREADS, 3, &all, "{0},{1},{2}");
  check_group(LEVEL_CORES, MOST_PLACES, &all, "{0,4},{1,5},{2,6},{3,7}");
  check_group(LEVEL_CORES, 2, &all, "{0,4},{1,5}");
  check_group(LEVEL_CORES, MOST_PLACES, &some, "{3},{4},{5},{6}");
  check_group(LEVEL_CACHES, MOST_PLACES, &all, "{0,4},{1,5},{2,6},{3,7}");
  check_group(LEVEL_SOCKETS, MOST_PLACES, &all, "{0:2,4:2},{2:2,6:2}");
  check_group(LEVEL_SOCKETS, MOST_PLACES, &some, "{3,6},{4:2}");
  check_group(LEVEL_NODES, MOST_PLACES, &all, "{0:4},{4:4}");
  check_group(LEVEL_NODES, MOST_PLACES, &some, "{3},{4:3}");
  check_group(LEVEL_NODES, 1, &all, "{0:4}");
  /* processors that the kernel does not describe */
  check_group(LEVEL_SOCKETS, MOST_PLACES, &strange, "{6:2},{8},{9}");
  check_knows(&some, true);
  check_kmp(&all);
  check_levels(&all);
  check_verbose(&all);
  check_subsets(&all);
  char command[PATH_MAX + 16];
  snprintf(command, sizeof command, "rm -r %s", root);
  EXPECT_NUMBER(system(command), 0);
  /* nothing described at all */
  check_group(LEVEL_CORES, MOST_PLACES, &some, "{3},{4},{5},{6}");
  check_group(LEVEL_NODES, MOST_PLACES, &some, "{3:4}");
  check_knows(&some, false);
}

/* ------------------------------------------------------------------ the list in use */

static void check_questions(void)
{
  int ids[3] = {-1, -1, -1};
  char text[8];
  struct place_list list;
  EXPECT(ghcomp_places_parse_list("{0,2},{1}", &list));
  ghcomp_places = (struct places){list.count, list.places};
  EXPECT_NUMBER(ghcomp_places_processors(0), 2);
  EXPECT_NUMBER(ghcomp_places_processors(1), 1);
  EXPECT_NUMBER(ghcomp_places_processors(2), 0);
  ghcomp_places_processor_ids(0, ids);
  EXPECT(ids[0] == 0 && ids[1] == 2 && ids[2] == -1);
  ghcomp_places_processor_ids(7, ids);
  EXPECT_NUMBER(ids[0], 0);
  EXPECT_NUMBER(ghcomp_places_print(NULL, 0), strlen("{0,2},{1}"));
  EXPECT_NUMBER(ghcomp_places_print(text, sizeof text), strlen("{0,2},{1}"));
  EXPECT_TEXT(text, "{0,2},{");
  ghcomp_places_drop();
  EXPECT_NUMBER(ghcomp_places_print(text, sizeof text), 0);
  EXPECT_TEXT(text, "");
}

/* On this machine: one place for each processor, and binding.  */
static void check_default(void)
{
  cpu_set_t before, after;
  sched_getaffinity(0, sizeof before, &before);
  ghcomp_places_default();
  EXPECT_NUMBER(ghcomp_places.count, CPU_COUNT(&before));
  ghcomp_places_bind_self(ghcomp_places.count - 1, 0);
  sched_getaffinity(0, sizeof after, &after);
  EXPECT_NUMBER(CPU_COUNT(&after), 1);
  sched_setaffinity(0, sizeof before, &before);
  ghcomp_places_drop();
}

/* If the system does not tell which processors may be used, threads are not all put on one.  */
static bool refused;
int __real_sched_getaffinity(pid_t who, size_t size, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t who, size_t size, cpu_set_t *set)
{
  return refused ? -1 : __real_sched_getaffinity(who, size, set);
}

static void check_unknown(void)
{
  refused = true;
  ghcomp_places_default();
  refused = false;
  EXPECT_NUMBER(ghcomp_places.count, sysconf(_SC_NPROCESSORS_ONLN));
  ghcomp_places_drop();
}

/* -------------------------------------------------------------------- assignment */

struct answer {
  unsigned place;
  struct partition partition;
};

static struct answer assign(int policy, unsigned threads, unsigned i, struct partition parent,
                            unsigned parent_place)
{
  struct answer a;
  ghcomp_places_assign(policy, threads, i, parent, parent_place, &a.place, &a.partition);
  return a;
}

/* "place/first+length" for each thread.  */
static const char *assigned(int policy, unsigned threads, unsigned length, unsigned parent_place)
{
  static char text[512];
  int used = 0;
  for (unsigned i = 0; i < threads; i++) {
    struct answer a = assign(policy, threads, i, (struct partition){0, length}, parent_place);
    used += snprintf(text + used, sizeof text - (size_t)used, "%s%u/%u+%u", i != 0 ? " " : "",
                     a.place, a.partition.first, a.partition.length);
  }
  return text;
}

/* Cases observed with libgomp.  */
static void check_observed(void)
{
  EXPECT_TEXT(assigned(BIND_PRIMARY, 2, 4, 3), "3/0+4 3/0+4");
  EXPECT_TEXT(assigned(BIND_CLOSE, 3, 4, 2), "2/0+4 3/0+4 0/0+4");
  EXPECT_TEXT(assigned(BIND_TRUE, 3, 4, 2), "2/0+4 3/0+4 0/0+4");
  EXPECT_TEXT(assigned(BIND_CLOSE, 5, 3, 1), "1/0+3 2/0+3 0/0+3 1/0+3 2/0+3");
  EXPECT_TEXT(assigned(BIND_CLOSE, 5, 2, 0), "0/0+2 0/0+2 1/0+2 1/0+2 0/0+2");
  EXPECT_TEXT(assigned(BIND_SPREAD, 2, 3, 1), "1/0+2 2/2+1");
  EXPECT_TEXT(assigned(BIND_SPREAD, 3, 5, 2), "2/2+2 4/4+1 0/0+2");
  EXPECT_TEXT(assigned(BIND_SPREAD, 5, 7, 6), "6/6+1 0/0+2 2/2+2 4/4+1 5/5+1");
  EXPECT_TEXT(assigned(BIND_SPREAD, 5, 2, 1), "1/1+1 1/1+1 0/0+1 0/0+1 1/1+1");
  EXPECT_TEXT(assigned(BIND_SPREAD, 3, 1, 0), "0/0+1 0/0+1 0/0+1");
}

/* The rules of the specification (5.2, 10.1.3) for one team.  */
static void check_laws(int policy, unsigned threads, struct partition parent,
                       unsigned parent_place)
{
  unsigned on_place[16] = {0}, in_part[16] = {0};
  for (unsigned i = 0; i < threads; i++) {
    struct answer a = assign(policy, threads, i, parent, parent_place);
    EXPECT(a.place >= a.partition.first && a.place < a.partition.first + a.partition.length);
    EXPECT(a.partition.first >= parent.first &&
           a.partition.first + a.partition.length <= parent.first + parent.length);
    EXPECT(i != 0 || a.place == parent_place);
    on_place[a.place - parent.first]++;
    for (unsigned p = 0; p < a.partition.length; p++)
      in_part[a.partition.first - parent.first + p]++;
  }
  for (unsigned p = 0; p < parent.length; p++) {
    bool even = on_place[p] == threads / parent.length ||
                on_place[p] == (threads + parent.length - 1) / parent.length;
    EXPECT(policy == BIND_PRIMARY || even);
    EXPECT(policy != BIND_SPREAD || threads > parent.length || in_part[p] == 1);
  }
}

static void check_all_laws(void)
{
  for (int policy = BIND_TRUE; policy <= BIND_SPREAD; policy++)
    for (unsigned threads = 1; threads <= 13; threads++)
      for (unsigned length = 1; length <= 9; length++)
        for (unsigned first = 0; first < 20; first += 19)
          for (unsigned offset = 0; offset < length; offset++)
            check_laws(policy, threads, (struct partition){first, length}, first + offset);
}

int main(void)
{
  check_texts(list_cases, sizeof list_cases / sizeof list_cases[0], ghcomp_places_parse_list);
  check_texts(affinity_cases, sizeof affinity_cases / sizeof affinity_cases[0],
              ghcomp_places_parse_affinity);
  check_names();
  check_topology();
  check_questions();
  check_default();
  check_unknown();
  check_observed();
  check_all_laws();
  return expect_result();
}
