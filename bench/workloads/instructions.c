/* Counts the instructions of each construct on one thread, where no cache line is shared: a child executes
   a row, and this process lets it execute one instruction after another.

   usage: instructions 1     prints "row: instructions-per-operation" lines

   Counts of two lengths are subtracted, so that the beginning and the end of a row do not count.  The row's
   own loop does, with two or three instructions.  A system call counts as one instruction.  */
#include "constructs_rows.h"

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* More tasks than a runtime may defer before it executes some.  */
enum { FEW = 80, MANY = 96, LARGEST_UNIT = 64 };

static void fail(const char *what)
{
  perror(what);
  exit(1);
}

static void run_child(const struct row *row, long n)
{
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
    fail("ptrace");
  omp_set_num_threads(1);
  row->run(MANY); /* sets up what the first operations need */
  raise(SIGSTOP);
  long seen = row->run(n);
  raise(SIGSTOP);
  _exit(seen == n ? 0 : 2);
}

static int wait_for(pid_t child)
{
  int status;
  if (waitpid(child, &status, 0) != child)
    fail("waitpid");
  return status;
}

/* Steps until the child stops itself.  Negative: the child ended, or got another signal.  */
static long steps_of(pid_t child)
{
  for (long steps = 0;; steps++) {
    if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0)
      fail("ptrace");
    int status = wait_for(child);
    if (WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP)
      return steps;
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
      return -1;
  }
}

/* Negative: the row lost operations.  */
static long count(const struct row *row, long n)
{
  pid_t child = fork();
  if (child < 0)
    fail("fork");
  if (child == 0)
    run_child(row, n);
  int status = wait_for(child);
  if (!WIFSTOPPED(status)) {
    fprintf(stderr, "%s: the child cannot be traced\n", row->name);
    exit(1);
  }
  long steps = steps_of(child);
  if (steps < 0)
    return -1;
  if (ptrace(PTRACE_CONT, child, NULL, NULL) != 0)
    fail("ptrace");
  status = wait_for(child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? steps : -1;
}

int main(int argc, char **argv)
{
  if (argc != 2 || strcmp(argv[1], "1") != 0) {
    fprintf(stderr, "usage: %s 1     (one thread: with more, how long they wait decides)\n", argv[0]);
    return 2;
  }
  threads = 1;
  for (int i = 0; i < row_count; i++) {
    const struct row *row = &rows[i];
    if (row->unit > LARGEST_UNIT || (row->only != 0 && row->only != threads))
      continue;
    long few = count(row, FEW), many = count(row, MANY);
    if (few < 0 || many < 0)
      printf("%s: wrong, operations are missing\n", row->name);
    else
      printf("%s: %.1f\n", row->name, (double)(many - few) / (MANY - FEW));
    fflush(stdout);
  }
  return 0;
}
