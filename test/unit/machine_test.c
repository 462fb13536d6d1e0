/* storey: machine
   link: -Wl,--wrap=sched_setaffinity */
/* The interface to the system: CPU quotas of invented control groups, this machine's processors, threads and
   their ends, this process, and pages.  */
#include "expect.h"

#include "machine/clock.h"
#include "machine/process.h"
#include "machine/processors.h"
#include "machine/thread.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static char root[] = "/tmp/ghcomp-machine-XXXXXX";

/* Writes root/name, and the folders that it needs.  */
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

/* Addresses of structures, one of which is not readable: the count stops there.  */
static void count_of_what_may_be_gone(void)
{
  static const struct {
    long other, set;
  } one = {1, 1}, none = {1, 0};
  enum { MANY = 40 };
  const void *structures[MANY];
  for (unsigned i = 0; i < MANY; i++)
    structures[i] = i % 2 == 0 ? (const void *)&one : &none;
  EXPECT_NUMBER(ghcomp_machine_count_set(structures, 0, sizeof(long)), 0);
  EXPECT_NUMBER(ghcomp_machine_count_set(structures, 3, sizeof(long)), 2);
  EXPECT_NUMBER(ghcomp_machine_count_set(structures, MANY, sizeof(long)), MANY / 2);
  EXPECT_NUMBER(ghcomp_machine_count_set(structures, MANY, 0), MANY);
  EXPECT_NUMBER(ghcomp_machine_count_set((const void *)64, MANY, 0), 0);
  structures[4] = (const void *)0xa5a5a5a5a5a5a5a5; /* freed memory may look like this */
  EXPECT_NUMBER(ghcomp_machine_count_set(structures, 4, sizeof(long)), 2);
  unsigned some = ghcomp_machine_count_set(structures, 16, sizeof(long));
  EXPECT_NUMBER(some, 2); /* those before it */
}

static unsigned quota(const char *membership)
{
  char path[PATH_MAX];
  write_file("membership", membership);
  snprintf(path, sizeof path, "%s/membership", root);
  return ghcomp_machine_quota_in(path, root);
}

static void check_v2(void)
{
  EXPECT_NUMBER(quota("0::/\n"), 0);
  write_file("cpu.max", "max 100000\n");
  EXPECT_NUMBER(quota("0::/\n"), 0);
  write_file("a/b/c/cpu.max", "250000 100000\n");
  EXPECT_NUMBER(quota("0::/a/b/c\n"), 3);
  EXPECT_NUMBER(quota("0::/a/b/c/d/e\n"), 3); /* folders that are not visible */
  EXPECT_NUMBER(quota("0::/a/b\n"), 0);
  write_file("a/cpu.max", "150000 100000\n");
  EXPECT_NUMBER(quota("0::/a/b/c\n"), 2); /* the smallest on the way to the root */
  write_file("a/b/cpu.max", "1000 100000\n");
  EXPECT_NUMBER(quota("0::/a/b/c\n"), 1);
  write_file("cpu.max", "400000 100000\n");
  EXPECT_NUMBER(quota("0::/elsewhere\n"), 4); /* that of the root, as in a container */
  EXPECT_NUMBER(quota("0::/\n"), 4);
  EXPECT_NUMBER(quota("0::/../up\n"), 4);
}

static void check_v1(void)
{
  write_file("cpu.max", "max 100000\n");
  write_file("cpu,cpuacct/x/cpu.cfs_quota_us", "500000\n");
  write_file("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  EXPECT_NUMBER(quota("5:memory:/x\n4:cpu,cpuacct:/x\n1:name=systemd:/y\n"), 5);
  EXPECT_NUMBER(quota("5:memory:/x\n"), 0);
  EXPECT_NUMBER(quota("4:cpuset:/x\n3:cpuacct:/x\n"), 0);
  write_file("cpu/x/y/cpu.cfs_quota_us", "-1\n");
  write_file("cpu/x/y/cpu.cfs_period_us", "100000\n");
  EXPECT_NUMBER(quota("4:cpu:/x/y\n"), 0);
  write_file("cpu/x/cpu.cfs_quota_us", "100001\n");
  write_file("cpu/x/cpu.cfs_period_us", "50000\n");
  EXPECT_NUMBER(quota("4:cpu:/x/y\n"), 3);
  EXPECT_NUMBER(quota("4:cpu:/x/y\n0::/a\n"), 2); /* both versions: the smaller one */
}

static void check_damaged(void)
{
  static char line[2 * PATH_MAX] = "0::/";
  static const char *const contents[] = {"", "\n", "banana\n", "100000\n", "-5 100000\n", "0 0\n",
                                         "100000 0\n", "100000 -1\n", "max\n"};
  for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
    write_file("cpu.max", contents[i]);
    if (!EXPECT_NUMBER(quota("0::/\n"), 0))
      printf("  of '%s'\n", contents[i]);
  }
  write_file("cpu.max", "9223372036854775807 2\n");
  EXPECT_NUMBER(quota("0::/\n"), INT_MAX);
  write_file("cpu.max", "max 100000\n");
  EXPECT_NUMBER(quota(""), 0);
  EXPECT_NUMBER(quota("\n:\n::\nnothing\n0:cpu\n"), 0);
  memset(line + 4, 'x', sizeof line - 5);
  EXPECT_NUMBER(quota(line), 0);
  EXPECT_NUMBER(ghcomp_machine_quota_in("/nowhere/cgroup", root), 0);
}

/* No handler runs while a thread that moves has another mask.  */
static unsigned moves_seen;
int __real_sched_setaffinity(pid_t who, size_t size, const cpu_set_t *set);
int __wrap_sched_setaffinity(pid_t who, size_t size, const cpu_set_t *set)
{
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  moves_seen += sigismember(&blocked, SIGALRM) == 1 && sigismember(&blocked, SIGUSR1) == 1;
  return __real_sched_setaffinity(who, size, set);
}

static void check_leave(const cpu_set_t *whole)
{
  cpu_set_t mask;
  sigset_t blocked;
  moves_seen = 0;
  ghcomp_machine_leave_processor(ghcomp_machine_here());
  EXPECT_NUMBER(moves_seen, CPU_COUNT(whole) > 1 ? 2 : 0);
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  EXPECT(!sigismember(&blocked, SIGALRM));
  sched_getaffinity(0, sizeof mask, &mask);
  EXPECT(CPU_EQUAL(&mask, whole));
}

/* From a mask of one processor; the thread has this mask afterwards, too.  */
static void check_could_have(const cpu_set_t *one)
{
  struct processor_set mask, wanted, none = {{0}}, before;
  ghcomp_machine_get_mask(&before);
  wanted = before;
  ghcomp_processors_add(&wanted, MAX_PROCESSORS - 1);
  sched_setaffinity(0, sizeof *one, one);
  EXPECT(ghcomp_machine_could_have(&wanted));
  EXPECT(ghcomp_processors_equal(&wanted, &before));
  EXPECT(!ghcomp_machine_could_have(&none));
  ghcomp_machine_get_mask(&mask);
  EXPECT_NUMBER(ghcomp_processors_count(&mask), 1);
  ghcomp_machine_set_mask(&before);
}

/* The thread has the mask `one`; `all` processors were in the one that was kept.  */
static void check_return(const cpu_set_t *one, unsigned all)
{
  struct processor_set mask, bound, other = {{0}};
  ghcomp_machine_get_mask(&bound);
  ghcomp_processors_add(&other, MAX_PROCESSORS - 1);
  ghcomp_machine_return_affinity(&other); /* the program has set another mask meanwhile */
  ghcomp_machine_get_mask(&mask);
  EXPECT(CPU_COUNT(one) == 1 && ghcomp_processors_equal(&mask, &bound));
  ghcomp_machine_return_affinity(&bound);
  ghcomp_machine_get_mask(&mask);
  EXPECT_NUMBER(ghcomp_processors_count(&mask), all);
}

static void check_this_machine(void)
{
  cpu_set_t before, one;
  unsigned all = ghcomp_machine_affinity_processors();
  EXPECT(all >= 1);
  EXPECT(ghcomp_machine_processors() >= 1 && ghcomp_machine_processors() <= all);
  sched_getaffinity(0, sizeof before, &before);
  check_leave(&before);
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
    if (CPU_ISSET(cpu, &before))
      CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
  EXPECT_NUMBER(ghcomp_machine_affinity_processors(), 1);
  ghcomp_machine_forget();
  EXPECT_NUMBER(ghcomp_machine_processors(), 1);
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_NUMBER(ghcomp_machine_processors(), 1); /* cached */
  ghcomp_machine_keep_affinity();
  check_could_have(&one);
  sched_setaffinity(0, sizeof one, &one); /* like binding */
  ghcomp_machine_forget();
  EXPECT_NUMBER(ghcomp_machine_affinity_processors(), all);
  EXPECT(ghcomp_machine_processors() <= all);
  check_return(&one, all);
  sched_setaffinity(0, sizeof before, &before);
}

/* ---------------------------------------------------------------------- threads */

static _Atomic unsigned ended, ran, in_children;
static _Atomic(void *) last_mark;

static void thread_ended(void *mark)
{
  last_mark = mark;
  if (ended++ == 0)
    ghcomp_machine_mark_thread(&ran); /* so that `ended` is called again */
}

static void run_once(void)
{
  ran++;
}

static struct once once = ONCE_INIT;

static void check_own_stack(void)
{
  uintptr_t lowest = 0;
  size_t size = 0;
  EXPECT(ghcomp_machine_own_stack(&lowest, &size));
  EXPECT((uintptr_t)&lowest - lowest < size && (uintptr_t)&lowest - lowest > 4096);
}

/* On a stack that is not the thread's own, the answer is the thread's.  */
static uintptr_t lowest_of_thread;
static size_t size_of_thread;

static void ask_elsewhere(void)
{
  EXPECT(ghcomp_machine_own_stack(&lowest_of_thread, &size_of_thread));
}

static void check_other_stack(void)
{
  enum { SIZE = 64 << 10 };
  static char other[SIZE];
  ucontext_t back, there;
  getcontext(&there);
  there.uc_stack.ss_sp = other;
  there.uc_stack.ss_size = SIZE;
  there.uc_link = &back;
  makecontext(&there, ask_elsewhere, 0);
  EXPECT_NUMBER(swapcontext(&back, &there), 0);
  EXPECT((uintptr_t)&back - lowest_of_thread < size_of_thread);
}

static void *marked_thread(void *argument)
{
  char name[GHCOMP_THREAD_NAME];
  for (unsigned i = 0; i < 3; i++)
    ghcomp_machine_once(&once, run_once);
  EXPECT(ghcomp_machine_thread_is_there(ghcomp_machine_thread()));
  EXPECT(ghcomp_machine_thread_runs(ghcomp_machine_thread()));
  EXPECT(ghcomp_machine_thread_computed(ghcomp_machine_thread()) > 0);
  check_own_stack();
  check_other_stack();
  ghcomp_machine_set_thread_name("a long name of a thread");
  ghcomp_machine_get_thread_name(name);
  EXPECT_TEXT(name, "a long name of ");
  if (argument != NULL)
    ghcomp_machine_mark_thread(argument);
  return NULL;
}

static void check_threads(void)
{
  pthread_t thread;
  int mark;
  EXPECT_NUMBER(ghcomp_machine_thread(), ghcomp_machine_process());
  check_own_stack();
  check_other_stack();
  ghcomp_machine_watch_ends(thread_ended);
  pthread_create(&thread, NULL, marked_thread, NULL);
  pthread_join(thread, NULL);
  EXPECT_NUMBER(ended, 0); /* it had no mark */
  pthread_create(&thread, NULL, marked_thread, &mark);
  pthread_join(thread, NULL);
  EXPECT_NUMBER(ended, 2);
  EXPECT(last_mark == &ran);
  EXPECT_NUMBER(ran, 1);
}

/* A thread does not sleep on a word with another value, nor longer than a given time.  */
static void check_sleep(void)
{
  _Atomic uint32_t word = 1;
  ghcomp_park_wait(&word, 0);
  uint64_t began = clock_ns();
  ghcomp_park_wait_for(&word, 1, 2000000);
  EXPECT(clock_ns() - began < 1000000000u);
  ghcomp_park_wake(&word, 1);
}

/* ---------------------------------------------------------------------- process */

static void in_child(void)
{
  in_children++;
}

static void check_process(void)
{
  char name[GHCOMP_HOST_NAME], line[64];
  int ends[2], status;
  ghcomp_machine_host_name(name);
  EXPECT(*name != '\0');
  EXPECT(ghcomp_machine_read_line("/proc/self/comm", line, sizeof line) && strncmp(line, "machine_test", 12) == 0);
  EXPECT(!ghcomp_machine_read_line("/proc/self/nothing", line, sizeof line));
  setenv("MACHINE_TEST", "here", 1);
  bool found = false;
  for (char **entry = ghcomp_machine_environment(); *entry != NULL; entry++)
    found |= strcmp(*entry, "MACHINE_TEST=here") == 0;
  EXPECT(found);
  ghcomp_machine_in_forked_child(in_child);
  EXPECT(pipe(ends) == 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) { /* the last message is written although standard error is closed */
    dup2(ends[1], STDERR_FILENO);
    ghcomp_machine_write_error("one, ", 5);
    ghcomp_machine_keep_error_open();
    close(STDERR_FILENO);
    dprintf(ghcomp_machine_error_descriptor(), "two");
    _exit((int)in_children);
  }
  close(ends[1]);
  ssize_t length = 0, more;
  while ((more = read(ends[0], line + length, sizeof line - 1 - (size_t)length)) > 0)
    length += more;
  line[length] = '\0';
  waitpid(child, &status, 0);
  EXPECT_TEXT(line, "one, two");
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  EXPECT_NUMBER(in_children, 0);
}

static void check_pages(void)
{
  uint64_t limit = 0;
  size_t page = ghcomp_machine_page_size();
  EXPECT(page >= 4096 && (page & (page - 1)) == 0);
  char *memory = ghcomp_machine_map_locked(page); /* NULL if ulimit -l is 0 */
  if (memory != NULL) {
    EXPECT_NUMBER(memory[page - 1], 0);
    ghcomp_machine_unmap(memory, page);
  }
  EXPECT(ghcomp_machine_would_map(page));
  EXPECT(!ghcomp_machine_would_map((uint64_t)1 << 62));
  EXPECT(ghcomp_machine_memory_and_swap() > page);
  EXPECT(!ghcomp_machine_address_limit(&limit) || limit > page);
}

/* Processor numbers that are not valid: the system may not tell where a thread runs.  */
static void check_sets(void)
{
  struct processor_set set = {{0}};
  EXPECT(!ghcomp_processors_has(&set, -1));
  EXPECT(!ghcomp_processors_has(&set, MAX_PROCESSORS));
  EXPECT(!ghcomp_processors_add(&set, -1));
  EXPECT(!ghcomp_processors_add(&set, MAX_PROCESSORS));
  EXPECT(ghcomp_processors_add(&set, MAX_PROCESSORS - 1));
  EXPECT_NUMBER(ghcomp_processors_next(&set, 0), MAX_PROCESSORS - 1);
  EXPECT_NUMBER(ghcomp_processors_next(&set, MAX_PROCESSORS), -1);
  EXPECT_NUMBER(ghcomp_processors_count(&set), 1);
}

int main(void)
{
  check_threads();
  check_sleep();
  check_process();
  check_pages();
  check_sets();
  count_of_what_may_be_gone();
  char command[PATH_MAX];
  if (mkdtemp(root) == NULL)
    abort();
  check_v2();
  check_v1();
  check_damaged();
  check_this_machine();
  snprintf(command, sizeof command, "rm -r %s", root);
  EXPECT_NUMBER(system(command), 0);
  return expect_result();
}
