/* Reads an environment in a forked child, as a program does at its start, and returns what the
   child wrote to standard error.  */
#ifndef GHCOMP_TEST_ENV_CHILD_H
#define GHCOMP_TEST_ENV_CHILD_H

#include "memory/allocator.h"
#include "settings/icv.h"
#include "threads/host.h"
#include "threads/substrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Stand-ins for what the tests do not link.  */
static unsigned host_capabilities = 7;

unsigned ghcomp_substrate_host_capabilities(void)
{
  return host_capabilities;
}

bool ghcomp_substrate_host_is_haskell(void);
bool ghcomp_substrate_host_is_haskell(void)
{
  return false;
}

const struct substrate *ghcomp_substrate_current(void)
{
  return NULL;
}

char *ghcomp_load_own_path(void)
{
  return strdup("/a/path");
}

/* Accepts alignments only.  */
omp_allocator_handle_t ghcomp_allocator_make(omp_memspace_handle_t space, int count,
                                             const omp_alloctrait_t *traits)
{
  (void)space;
  for (int i = 0; i < count; i++)
    if (traits[i].key == omp_atk_alignment && (traits[i].value & (traits[i].value - 1)) != 0)
      return omp_null_allocator;
  return (omp_allocator_handle_t)4096;
}

enum { CHILD_OUTPUT = 1 << 20 };

/* Which code the child pretends to contain from its start.  */
static enum llvm_need child_needs = LLVM_NOT_NEEDED;

struct child {
  char output[CHILD_OUTPUT]; /* what it wrote to standard error */
  int status;                /* of waitpid; 0: it ended normally */
};

/* `entries`: the environment, such as "NAME=value", NULL-terminated.  `look` is called in the child
   after reading, may write to standard error, and returns the child's exit status.  */
static void child_read(struct child *child, char **entries, int (*look)(void))
{
  int ends[2];
  size_t length = 0;
  ssize_t n;
  fflush(stdout);
  if (pipe(ends) != 0)
    abort();
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    environ = entries;
    ghcomp_env_read(child_needs);
    int status = look != NULL ? look() : 0;
    fflush(stdout);
    _exit(status);
  }
  close(ends[1]);
  while (length < CHILD_OUTPUT - 1 &&
         (n = read(ends[0], child->output + length, CHILD_OUTPUT - 1 - length)) > 0)
    length += (size_t)n;
  child->output[length] = '\0';
  close(ends[0]);
  if (waitpid(pid, &child->status, 0) != pid)
    abort();
}

#endif
