/* Disturbances at random moments, until there were enough of each kind; seed=N chooses the moments.

   KINDS, with commas between:
     count    a handler of SIGUSR1, which interrupts any thread, counts
     region   it starts regions, and checks their results
     signalstack   it runs on a signal stack where its thread has one; masters have
     exit     it ends the program by exit, with status ENDED; a handler of exit starts a region
     stop     the process is stopped and goes on
     cancel   further masters are cancelled, while they run programs or between two, and others take their places

   A process of its own disturbs this one from outside.  It ends with this one.  */
#include <dirent.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

enum { ENDED = 7, ENOUGH = 20, ENOUGH_CANCELLED = 4, VICTIMS = 2, SIGNAL_STACK_BYTES = 32 << 10 };
enum { COUNT = 1, REGION = 2, EXIT = 4, STOP = 8, CANCEL = 16, SIGNAL_STACK = 32 };
static const struct {
  const char *word;
  int kind;
} disturbances[] = {{"count", COUNT}, {"region", REGION}, {"exit", EXIT}, {"stop", STOP}, {"cancel", CANCEL}, {"signalstack", SIGNAL_STACK}};

static int disturb_kinds;
static pid_t disturber;
static _Atomic long in_handlers, continued, cancelled;

static unsigned draw(unsigned *state, unsigned below)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % below;
}

/* Mostly short, sometimes long.  */
static void wait_a_while(unsigned *state)
{
  usleep(20u << draw(state, 8));
}

/* ------------------------------------------------------------------------ handlers */

/* No task: the interrupted thread may be creating one (docs/limits.md).  */
static void region_in_handler(void)
{
  long sum = 0, inner = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  same("sum in a handler", sum, 4950);
#pragma omp parallel num_threads(3) reduction(+ : inner)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 10; i++)
      inner += i;
#pragma omp single
    inner += 1000;
  }
  same("loop and single in a handler", inner, 1045);
}

static void on_signal(int signal)
{
  static _Atomic int exits;
  int error = errno;
  (void)signal;
  if (disturb_kinds & REGION)
    region_in_handler();
  if (++in_handlers > ENOUGH / 4 && (disturb_kinds & EXIT) && exits++ == 0) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    exit(ENDED);
  }
  errno = error;
}

/* Threads of this program begin and end while their handlers are held off: they have locks of the C library's then.  */
struct signal_stack {
  void *memory;
};

static struct signal_stack let_handlers_run(void)
{
  struct signal_stack stack = {NULL};
  if (disturb_kinds & SIGNAL_STACK) {
    stack_t alternative = {.ss_size = SIGNAL_STACK_BYTES};
    stack.memory = mmap(NULL, 2 * SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    same("memory for a signal stack", stack.memory == MAP_FAILED || mprotect(stack.memory, SIGNAL_STACK_BYTES, PROT_NONE) != 0, 0);
    alternative.ss_sp = (char *)stack.memory + SIGNAL_STACK_BYTES;
    sigaltstack(&alternative, NULL);
  }
  if (disturbed)
    pthread_sigmask(SIG_UNBLOCK, &disturbing, NULL);
  return stack;
}

static void let_no_handlers_run(struct signal_stack stack)
{
  if (disturbed)
    pthread_sigmask(SIG_BLOCK, &disturbing, NULL);
  if (stack.memory != NULL) {
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(stack.memory, 2 * SIGNAL_STACK_BYTES);
  }
}

/* The only cancellation point of the program.  */
static void end_if_cancelled(void)
{
  if (disturbed)
    pthread_sigmask(SIG_BLOCK, &disturbing, NULL);
  pthread_testcancel();
  if (disturbed)
    pthread_sigmask(SIG_UNBLOCK, &disturbing, NULL);
}

static void on_continue(int signal)
{
  (void)signal;
  continued++;
}

static void at_exit(void)
{
  if (in_handlers > 0)
    region_in_handler();
}

/* ------------------------------------------------------------------------- victims */

static struct victims {
  void (*run)(void *);
  void *argument;
  unsigned state;
  int over;
  pthread_t executioner;
} victims;

static void *be_victim(void *nothing)
{
  pthread_sigmask(SIG_UNBLOCK, &disturbing, NULL);
  for (;;)
    victims.run(victims.argument);
  return nothing;
}

static void *cancel_victims(void *nothing)
{
  pthread_t victim[VICTIMS];
  void *result;
  for (int i = 0; i < VICTIMS; i++)
    same("victim", pthread_create(&victim[i], NULL, be_victim, NULL), 0);
  for (int i = 0; !__atomic_load_n(&victims.over, __ATOMIC_RELAXED); i = (i + 1) % VICTIMS) {
    wait_a_while(&victims.state);
    pthread_cancel(victim[i]);
    same("end of a victim", pthread_join(victim[i], &result), 0);
    same("a victim was cancelled", result == PTHREAD_CANCELED, 1);
    same("victim", pthread_create(&victim[i], NULL, be_victim, NULL), 0);
    cancelled++;
  }
  for (int i = 0; i < VICTIMS; i++) {
    pthread_cancel(victim[i]);
    pthread_join(victim[i], NULL);
  }
  return nothing;
}

/* ------------------------------------------------------------------------ disturber */

/* A thread of the process, which may have ended by now.  */
static pid_t any_thread(pid_t process, unsigned *state)
{
  char name[64];
  pid_t found = process;
  snprintf(name, sizeof name, "/proc/%d/task", (int)process);
  DIR *folder = opendir(name);
  unsigned seen = 0;
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    if (atoi(entry->d_name) > 0 && draw(state, ++seen) == 0)
      found = atoi(entry->d_name);
  if (folder != NULL)
    closedir(folder);
  return found;
}

static volatile sig_atomic_t disturber_ends;

static void on_end(int signal)
{
  disturber_ends = signal;
}

/* It never ends between stop and continue.  */
static _Noreturn void be_disturber(pid_t parent, unsigned state)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int file = 0; file < 3; file++)
    close(file);
  while (!disturber_ends && getppid() == parent) {
    wait_a_while(&state);
    if ((disturb_kinds & STOP) && draw(&state, 2)) {
      kill(parent, SIGSTOP);
      wait_a_while(&state);
      kill(parent, SIGCONT);
    }
    if (disturb_kinds & (COUNT | REGION | EXIT))
      syscall(SYS_tgkill, parent, any_thread(parent, &state), SIGUSR1);
  }
  _exit(0);
}

static void end_disturber(void)
{
  kill(disturber, SIGTERM);
  while (waitpid(disturber, NULL, 0) != disturber)
    ;
}

static void begin_disturbing(const char *kinds, unsigned seed, void (*run)(void *), void *argument)
{
  struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, go_on = {.sa_handler = on_continue, .sa_flags = SA_RESTART};
  pid_t self = getpid();
  for (unsigned i = 0; i < sizeof disturbances / sizeof *disturbances; i++)
    if (strstr(kinds, disturbances[i].word) != NULL)
      disturb_kinds |= disturbances[i].kind;
  if (disturb_kinds & SIGNAL_STACK)
    act.sa_flags |= SA_ONSTACK;
  sigaction(SIGUSR1, &act, NULL);
  sigaction(SIGCONT, &go_on, NULL);
  signal(SIGTERM, on_end);
  sigemptyset(&disturbing);
  sigaddset(&disturbing, SIGUSR1);
  disturbed = 1;
  regions_in_handlers = disturb_kinds & REGION;
  pthread_sigmask(SIG_BLOCK, &disturbing, NULL);
  if (disturb_kinds & EXIT) {
    atexit(end_disturber);
    atexit(at_exit);
  }
  disturber = fork();
  if (disturber == 0)
    be_disturber(self, seed);
  signal(SIGTERM, SIG_DFL);
  victims = (struct victims){.run = run, .argument = argument, .state = seed};
  if (disturb_kinds & CANCEL)
    same("executioner", pthread_create(&victims.executioner, NULL, cancel_victims, NULL), 0);
}

static int enough_of(int kind, long count, long enough)
{
  return !(disturb_kinds & kind) || count >= enough;
}

/* Never, if a handler ends the program.  */
static int disturbed_enough(void)
{
  return !(disturb_kinds & EXIT) && enough_of(COUNT | REGION, in_handlers, ENOUGH) && enough_of(STOP, continued, ENOUGH) &&
         enough_of(CANCEL, cancelled, ENOUGH_CANCELLED);
}

static void end_disturbing(void)
{
  __atomic_store_n(&victims.over, 1, __ATOMIC_RELAXED);
  if (disturb_kinds & CANCEL)
    pthread_join(victims.executioner, NULL);
  end_disturber();
}
