/* storey: threads */
/* The choice of a substrate, and the GHC substrate in a C program: the boot changes nothing of the
   process, a boot that lacks something falls back to pthread, and fork works.

   A process chooses once, so every case has a process of its own.  Needs libghcomp_rts.so, in
   $RUNTIME or build/lib.  */
#include "expect.h"

#include "threads/host.h"
#include "threads/substrate.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* -------------------------------------------------------- a case in its own process */

struct outcome {
  int status;
  char said[4096]; /* what it wrote to standard error */
};

static struct outcome run_case(void (*body)(void))
{
  struct outcome outcome = {0};
  int ends[2];
  size_t length = 0;
  ssize_t more;
  fflush(stdout);
  if (pipe(ends) != 0)
    abort();
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    expect_failures = 0;
    body();
    exit(expect_failures != 0);
  }
  close(ends[1]);
  while ((more = read(ends[0], outcome.said + length, sizeof outcome.said - 1 - length)) > 0)
    length += (size_t)more;
  close(ends[0]);
  waitpid(child, &outcome.status, 0);
  return outcome;
}

static unsigned messages_in(const char *said)
{
  unsigned count = 0;
  for (const char *p = said; (p = strstr(p, "ghcomp: ")) != NULL; p++)
    count++;
  return count;
}

/* The case passes and prints that number of messages.  */
static void expect_case(void (*body)(void), const char *name, unsigned messages)
{
  struct outcome outcome = run_case(body);
  if (!EXPECT_NUMBER(outcome.status, 0) || !EXPECT_NUMBER(messages_in(outcome.said), messages))
    printf("  in %s, which said: %s\n", name, outcome.said);
}

#define EXPECT_CASE(body, messages) expect_case(body, #body, messages)

/* ---------------------------------------------------------------- what is left behind */

static unsigned entries_of(const char *folder)
{
  unsigned count = 0;
  DIR *list = opendir(folder);
  while (list != NULL && readdir(list) != NULL)
    count++;
  if (list != NULL)
    closedir(list);
  return count - 2; /* . and .. */
}

static unsigned threads(void)
{
  return entries_of("/proc/self/task");
}

/* Threads of the RTS's end soon.  If this never returns, the test has failed.  */
static void wait_until_alone(void)
{
  while (threads() > 1)
    sched_yield();
}

static bool same_handlers(const struct sigaction *before)
{
  bool same = true;
  for (int number = 1; number < NSIG; number++) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) != 0)
      continue;
    if (now.sa_handler != before[number].sa_handler || now.sa_flags != before[number].sa_flags) {
      printf("  signal %d has another handler\n", number);
      same = false;
    }
  }
  return same;
}

static bool same_mask(const sigset_t *before)
{
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  for (int number = 1; number < NSIG; number++)
    if (sigismember(before, number) != sigismember(&now, number))
      return false;
  return true;
}

static void boot_leaves_no_trace(void)
{
  struct sigaction before[NSIG];
  sigset_t mask;
  for (int number = 1; number < NSIG; number++)
    sigaction(number, NULL, &before[number]);
  unsigned descriptors = entries_of("/proc/self/fd");
  setenv("LC_ALL", "C.UTF-8", 1); /* no setlocale asks for it, so the locale stays "C" */
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  errno = ENOTTY;
  const struct substrate *substrate = ghcomp_substrate_start(3);
  EXPECT_NUMBER(errno, ENOTTY);
  EXPECT_TEXT(substrate->name, "ghc");
  EXPECT_NUMBER(substrate->capabilities(), 3);
  EXPECT_NUMBER(entries_of("/proc/self/fd"), descriptors);
  wait_until_alone();
  EXPECT(same_handlers(before));
  EXPECT_TEXT(setlocale(LC_ALL, NULL), "C");
  EXPECT(same_mask(&mask));
}

static void boot_keeps_a_locale(void)
{
  EXPECT(setlocale(LC_ALL, "C.UTF-8") != NULL);
  setenv("LC_ALL", "C", 1);
  EXPECT_TEXT(ghcomp_substrate_start(2)->name, "ghc");
  EXPECT_TEXT(setlocale(LC_CTYPE, NULL), "C.UTF-8");
}

static void ghcrts_is_ignored(void)
{
  setenv("GHCRTS", "-N7 -s --no-such-option", 1);
  const struct substrate *substrate = ghcomp_substrate_start(2);
  EXPECT_TEXT(substrate->name, "ghc");
  EXPECT_NUMBER(substrate->capabilities(), 2);
}

static void one_capability_makes_no_thread(void)
{
  EXPECT_NUMBER(ghcomp_substrate_start(1)->capabilities(), 1);
  EXPECT_NUMBER(threads(), 1);
}

static void many_capabilities_are_cut_off(void)
{
  unsigned count = ghcomp_substrate_start(5000)->capabilities();
  EXPECT(count >= 16 && count <= 64);
}

/* ---------------------------------------------------------------------- the end */

static void *sleep_for_good(void *nothing)
{
  for (;;)
    pause();
  return nothing;
}

static void ends_with_seven(void)
{
  const struct substrate *substrate = ghcomp_substrate_start(2);
  for (int i = 0; i < 3; i++)
    EXPECT_NUMBER(substrate->spawn(sleep_for_good, NULL, 0), 0);
  substrate->serve_as(0);
  exit(expect_failures == 0 ? 7 : 1);
}

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void test_exit(void)
{
  double begin = now();
  struct outcome outcome = run_case(ends_with_seven);
  double took = now() - begin;
  EXPECT(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 7);
  EXPECT(took < 0.25); /* usually 2 ms; the RTS's own shutdown would wait for ticks */
}

/* ------------------------------------------------------------------- Capabilities */

struct belonging {
  unsigned number;
  int capability, later;
  sem_t done;
};

static void *look_where(void *argument)
{
  struct belonging *belonging = argument;
  const struct substrate *substrate = ghcomp_substrate_current();
  belonging->capability = ghcomp_load_capability();
  EXPECT_NUMBER(belonging->capability, -1); /* it has none yet */
  substrate->serve_as(belonging->number);
  belonging->capability = ghcomp_load_capability();
  substrate->serve_as(belonging->number + 1);
  belonging->later = ghcomp_load_capability();
  sem_post(&belonging->done);
  return NULL;
}

static void threads_serve(void)
{
  enum { CAPABILITIES = 3, THREADS = 8 };
  static struct belonging list[THREADS];
  const struct substrate *substrate = ghcomp_substrate_start(CAPABILITIES);
  for (unsigned i = 0; i < THREADS; i++) {
    list[i].number = i;
    sem_init(&list[i].done, 0, 0);
    EXPECT_NUMBER(substrate->spawn(look_where, &list[i], 0), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    sem_wait(&list[i].done);
    EXPECT_NUMBER(list[i].capability, (int)(i % CAPABILITIES));
    EXPECT_NUMBER(list[i].later, (int)((i + 1) % CAPABILITIES));
  }
}

static void *belong_and_end(void *done)
{
  ghcomp_substrate_current()->serve_as(1);
  sem_post(done);
  return NULL;
}

/* Threads start and end; nothing remains of their registration.  */
static void threads_end(void)
{
  const struct substrate *substrate = ghcomp_substrate_start(2);
  sem_t done;
  sem_init(&done, 0, 0);
  for (int i = 0; i < 500; i++) {
    EXPECT_NUMBER(substrate->spawn(belong_and_end, &done, 0), 0);
    sem_wait(&done);
  }
  wait_until_alone();
}

/* ---------------------------------------------------------------------- the choice */

static void bad_wish(void)
{
  setenv("GHCOMP_SUBSTRATE", "mach", 1);
  for (int i = 0; i < 3; i++)
    EXPECT_TEXT(ghcomp_substrate_start(2)->name, "ghc");
}

static void wish_for_pthread(void)
{
  setenv("GHCOMP_SUBSTRATE", "pthread", 1);
  EXPECT(ghcomp_substrate_current() == NULL);
  const struct substrate *substrate = ghcomp_substrate_start(2);
  EXPECT(substrate == &ghcomp_substrate_pthread && substrate == ghcomp_substrate_current());
  EXPECT_NUMBER(substrate->capabilities(), 0);
  EXPECT_TEXT(ghcomp_choice_reason(), "GHCOMP_SUBSTRATE=pthread");
  EXPECT_NUMBER(threads(), 1);
}

static void library_is_missing(void)
{
  setenv("GHCOMP_RTS_LIBRARY", "/nowhere/libghcomp_rts.so", 1);
  for (int i = 0; i < 3; i++)
    EXPECT_TEXT(ghcomp_substrate_start(2)->name, "pthread");
}

static void library_is_another(void)
{
  setenv("GHCOMP_RTS_LIBRARY", "libm.so.6", 1);
  EXPECT_TEXT(ghcomp_substrate_start(2)->name, "pthread");
}

static void this_is_no_haskell_program(void)
{
  EXPECT_NUMBER(ghcomp_substrate_host_capabilities(), 0);
}

static const struct substrate *got[8];
static pthread_barrier_t line;

static void *start_together(void *place)
{
  pthread_barrier_wait(&line);
  *(const struct substrate **)place = ghcomp_substrate_start(2);
  return NULL;
}

static void many_start_at_once(void)
{
  pthread_t list[8];
  pthread_barrier_init(&line, NULL, 8);
  for (int i = 0; i < 8; i++)
    pthread_create(&list[i], NULL, start_together, &got[i]);
  for (int i = 0; i < 8; i++)
    pthread_join(list[i], NULL);
  for (int i = 0; i < 8; i++)
    EXPECT(got[i] == ghcomp_substrate_current());
  EXPECT_NUMBER(ghcomp_substrate_current()->capabilities(), 2);
}

/* -------------------------------------------------------------------------- limits */

static void *count(void *done)
{
  sem_post(done);
  return NULL;
}

/* With any choice the process continues, and the substrate creates threads.  */
static void expect_service(void)
{
  sem_t done;
  sem_init(&done, 0, 0);
  if (EXPECT_NUMBER(ghcomp_substrate_current()->spawn(count, &done, 256 << 10), 0))
    sem_wait(&done);
  ghcomp_substrate_current()->serve_as(1);
}

static void little_address_space(void)
{
  struct rlimit limit = {200 << 20, 200 << 20};
  setrlimit(RLIMIT_AS, &limit);
  EXPECT_TEXT(ghcomp_substrate_start(2)->name, "pthread");
  expect_service();
}

/* The RTS needs no stack of the usual size.  */
static void little_data(void)
{
  struct rlimit limit = {7 << 20, 7 << 20};
  setrlimit(RLIMIT_DATA, &limit);
  EXPECT_TEXT(ghcomp_substrate_start(4)->name, "ghc");
}

/* Root has no limit of processes, so the process changes to an unused user.  */
static void no_thread_to_be_had(void)
{
  struct rlimit limit = {1, 1};
  if (geteuid() == 0)
    EXPECT_NUMBER(setresuid(43210, 43210, 43210), 0);
  setrlimit(RLIMIT_NPROC, &limit);
  EXPECT_TEXT(ghcomp_substrate_start(4)->name, "pthread");
  EXPECT_NUMBER(threads(), 1);
  EXPECT_NUMBER(ghcomp_substrate_current()->spawn(count, NULL, 0), EAGAIN);
}

static void *use_stack(void *done)
{
  char text[512];
  snprintf(text, sizeof text, "%f", 1.5);
  EXPECT_TEXT(text, "1.500000");
  sem_post(done);
  return NULL;
}

static void stack_sizes(void)
{
  static const size_t sizes[] = {0, 1, 4096, 16384, 1 << 20, (64 << 20) + 1};
  sem_t done;
  sem_init(&done, 0, 0);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (EXPECT_NUMBER(ghcomp_substrate_pthread.spawn(use_stack, &done, sizes[i]), 0))
      sem_wait(&done);
  EXPECT(ghcomp_substrate_pthread.spawn(use_stack, &done, SIZE_MAX) != 0);
  EXPECT(ghcomp_substrate_pthread.spawn(use_stack, &done, SIZE_MAX / 2) != 0);
}

/* ---------------------------------------------------------------------------- fork */

static void in_child(void (*body)(void))
{
  pid_t child = fork();
  int status = -1;
  if (child == 0) {
    ghcomp_substrate_after_fork();
    body();
    exit(expect_failures != 0);
  }
  waitpid(child, &status, 0);
  EXPECT_NUMBER(status, 0);
}

static void expect_pthread(void)
{
  EXPECT_TEXT(ghcomp_substrate_start(2)->name, "pthread");
  expect_service();
}

static void expect_ghc(void)
{
  EXPECT_TEXT(ghcomp_substrate_start(2)->name, "ghc");
  expect_service();
}

static void fork_after_start(void)
{
  EXPECT_TEXT(ghcomp_substrate_start(2)->name, "ghc");
  ghcomp_substrate_current()->serve_as(1);
  in_child(expect_pthread);
  EXPECT_TEXT(ghcomp_substrate_current()->name, "ghc");
}

static void fork_before_start(void)
{
  in_child(expect_ghc);
  EXPECT(ghcomp_substrate_current() == NULL);
  expect_ghc();
}

int main(void)
{
  char path[4096];
  const char *runtime = getenv("RUNTIME");
  snprintf(path, sizeof path, "%s/libghcomp_rts.so", runtime != NULL ? runtime : "build/lib");
  setenv("GHCOMP_RTS_LIBRARY", path, 1);
  unsetenv("GHCOMP_SUBSTRATE");
  EXPECT_CASE(boot_leaves_no_trace, 0);
  EXPECT_CASE(boot_keeps_a_locale, 0);
  EXPECT_CASE(ghcrts_is_ignored, 0);
  EXPECT_CASE(one_capability_makes_no_thread, 0);
  EXPECT_CASE(many_capabilities_are_cut_off, 0);
  test_exit();
  EXPECT_CASE(threads_serve, 0);
  EXPECT_CASE(threads_end, 0);
  EXPECT_CASE(bad_wish, 1);
  EXPECT_CASE(wish_for_pthread, 0);
  EXPECT_CASE(library_is_missing, 1);
  EXPECT_CASE(library_is_another, 1);
  EXPECT_CASE(this_is_no_haskell_program, 0);
  EXPECT_CASE(many_start_at_once, 0);
  EXPECT_CASE(little_address_space, 1);
  EXPECT_CASE(little_data, 0);
  EXPECT_CASE(no_thread_to_be_had, 1);
  EXPECT_CASE(stack_sizes, 0);
  EXPECT_CASE(fork_after_start, 0);
  EXPECT_CASE(fork_before_start, 0);
  return expect_result();
}
