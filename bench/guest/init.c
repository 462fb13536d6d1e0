/* The first and only process of a guest (README.md).  It executes commands that come in lines over the second serial port, one
   after the other, and answers over that port; the first port has the kernel's messages and a copy of the answers.

     ready RELEASE PROCESSORS CLOCK          after the start; CLOCK is what the kernel reads times from
     run<TAB>NAME=VALUE...<TAB>--<TAB>PROGRAM<TAB>ARGUMENT...   is answered by
       out TEXT, err TEXT                    each line that the program has printed
       left N                                processes that it has left behind, which are killed
       exit STATUS NANOSECONDS, or           when it has ended; NANOSECONDS from its start
       signal NUMBER NANOSECONDS

   A program's environment is what its line says and nothing else.  The runner ends the guest.  */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 100, LONGEST_LINE = 16384 };

static FILE *asks, *answers, *console;

/* The kernel restarts when its first process ends, and then QEMU ends: the runner gets no more answers.  */
static _Noreturn void fail(const char *what)
{
  if (console != NULL)
    fprintf(console, "init: %s: %s\n", what, strerror(errno)), fflush(console);
  reboot(RB_AUTOBOOT);
  _exit(1);
}

static void answer(const char *format, ...)
{
  FILE *files[] = {answers, console};
  for (int i = 0; i < 2; i++) {
    va_list list;
    va_start(list, format);
    vfprintf(files[i], format, list);
    va_end(list);
    if (fflush(files[i]) != 0)
      fail("cannot write");
  }
}

static void mount_at(const char *place, const char *kind, const char *options)
{
  mkdir(place, 0755);
  if (mount(kind, place, kind, 0, options) != 0 && errno != EBUSY)
    fail(place);
}

static FILE *open_port(const char *path, int flags, const char *mode)
{
  struct termios t;
  int file = open(path, flags | O_NOCTTY | O_CLOEXEC);
  if (file < 0 || tcgetattr(file, &t) != 0)
    fail(path);
  cfmakeraw(&t);
  t.c_cflag |= CLOCAL | CREAD;
  cfsetspeed(&t, B115200);
  if (tcsetattr(file, TCSANOW, &t) != 0)
    fail(path);
  return fdopen(file, mode);
}

static const char *clock_of_kernel(void)
{
  static char name[64] = "unknown";
  FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
  if (file != NULL && fscanf(file, "%63s", name) != 1)
    strcpy(name, "unknown");
  if (file != NULL)
    fclose(file);
  return name;
}

static void begin(void)
{
  struct utsname system;
  mount_at("/proc", "proc", "");
  mount_at("/sys", "sysfs", "");
  mount_at("/dev", "devtmpfs", "");
  mount_at("/dev/shm", "tmpfs", "mode=1777");
  mount_at("/tmp", "tmpfs", "mode=1777");
  console = fopen("/dev/console", "we");
  if (console == NULL)
    fail("/dev/console");
  answers = open_port("/dev/ttyS1", O_WRONLY, "w");
  asks = open_port("/dev/ttyS1", O_RDONLY, "r");
  uname(&system);
  answer("ready %s %ld %s\n", system.release, sysconf(_SC_NPROCESSORS_ONLN), clock_of_kernel());
}

static int64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Never returns.  */
static void become(char **environment, char **arguments)
{
  sigset_t none;
  int nothing = open("/dev/null", O_RDONLY), out = open("/tmp/out", O_WRONLY | O_CREAT | O_TRUNC, 0600),
      err = open("/tmp/err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  setsid();
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
    _exit(126);
  close(nothing);
  close(out);
  close(err);
  execve(arguments[0], arguments, environment);
  fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
  fflush(stderr);
  _exit(127);
}

static void show(const char *kind, const char *path)
{
  static char line[LONGEST_LINE];
  FILE *file = fopen(path, "re");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    answer("%s %s\n", kind, line);
  }
  if (file != NULL)
    fclose(file);
  unlink(path);
}

/* Processes whose parents have ended are this one's children.  */
static int kill_others(void)
{
  int killed = 0, status;
  while (kill(-1, SIGKILL) == 0 && wait(&status) > 0)
    killed++;
  return killed;
}

static void execute(char **environment, char **arguments)
{
  int status = 0, left;
  int64_t start = now_ns(), took;
  pid_t ended, program = fork();
  if (program == 0)
    become(environment, arguments);
  do
    ended = wait(&status);
  while (ended != program && (ended > 0 || errno == EINTR));
  took = now_ns() - start;
  left = kill_others();
  show("out", "/tmp/out");
  show("err", "/tmp/err");
  if (left != 0)
    answer("left %d\n", left);
  if (program < 0 || ended != program)
    answer("exit 125 0\n");
  else if (WIFSIGNALED(status))
    answer("signal %d %lld\n", WTERMSIG(status), (long long)took);
  else
    answer("exit %d %lld\n", WEXITSTATUS(status), (long long)took);
}

static void obey(char *line)
{
  char *environment[MOST_WORDS + 1] = {NULL}, *arguments[MOST_WORDS + 1] = {NULL};
  int before = 0, after = 0;
  bool dashes = false;
  line[strcspn(line, "\n")] = '\0';
  fprintf(console, "%s\n", line);
  for (char *rest = line, *word = strsep(&rest, "\t"); rest != NULL && (word = strsep(&rest, "\t")) != NULL;)
    if (!dashes && strcmp(word, "--") == 0)
      dashes = true;
    else if (before + after == MOST_WORDS)
      fail("too many words in a line");
    else if (dashes)
      arguments[after++] = word;
    else
      environment[before++] = word;
  if (strcmp(line, "run") != 0 || after == 0)
    fail("not a command");
  execute(environment, arguments);
}

int main(void)
{
  static char line[LONGEST_LINE];
  begin();
  while (fgets(line, sizeof line, asks) != NULL)
    obey(line);
  fail("the port is closed");
}
