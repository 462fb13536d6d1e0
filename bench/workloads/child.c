#include "child.h"

#include "clocks.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
  perror(what);
  exit(1);
}

static bool put(int pipe, const double *values, size_t count)
{
  ssize_t size = (ssize_t)(count * sizeof *values);
  return write(pipe, values, (size_t)size) == size;
}

struct child child_start(void (*run)(double *values, void *argument), size_t count, void *argument)
{
  int ends[2];
  double *values = calloc(count, sizeof *values);
  fflush(stdout);
  if (values == NULL || pipe(ends) != 0)
    fail("a child");
  pid_t process = fork();
  if (process < 0)
    fail("fork");
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* so that no child is left if the parent is killed */
    close(ends[0]);
    run(values, argument);
    _exit(put(ends[1], values, count) ? 0 : 1);
  }
  free(values);
  close(ends[1]);
  return (struct child){process, ends[0]};
}

enum reading { ALL, ENDED, LATE };

/* Reads until all bytes are there, the pipe ends, or the deadline is over.  */
static enum reading read_all(int pipe, char *bytes, size_t left, double deadline_us)
{
  while (left > 0) {
    struct pollfd ready = {.fd = pipe, .events = POLLIN};
    double wait_us = deadline_us - now_us();
    if (wait_us <= 0 || poll(&ready, 1, (int)(wait_us / 1e3) + 1) == 0)
      return LATE;
    ssize_t got = read(pipe, bytes, left);
    if (got <= 0)
      return ENDED;
    bytes += got;
    left -= (size_t)got;
  }
  return ALL;
}

const char *child_finish(struct child child, double *values, size_t count, long limit_s)
{
  static char said[128];
  int status;
  enum reading found = read_all(child.from, (char *)values, count * sizeof *values, now_us() + (double)limit_s * 1e6);
  if (found == LATE)
    kill(child.process, SIGKILL);
  if (waitpid(child.process, &status, 0) != child.process)
    fail("waitpid");
  close(child.from);
  if (found == ALL)
    return NULL;
  if (found == LATE)
    snprintf(said, sizeof said, "hangs, ended after %ld s", limit_s);
  else if (WIFSIGNALED(status))
    snprintf(said, sizeof said, "dies of a signal (%s)", strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) == CHILD_WRONG)
    snprintf(said, sizeof said, "wrong, a result is not what it must be");
  else
    snprintf(said, sizeof said, "ends with status %d", WEXITSTATUS(status));
  return said;
}
