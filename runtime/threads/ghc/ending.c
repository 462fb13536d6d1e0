/* The end of a process whose first thread has called pthread_exit.

   Such a process ends, with status 0, when its last thread has ended.  The RTS's threads
   never end, so the system does not see that; a thread that is started for the purpose
   does.  It looks now and then how many threads the process has, and calls exit(0), as
   the C library would, when they are only the first one, which has ended, the RTS's and
   itself.

   Why that is the right moment: a thread is made by a thread of the same process.  The
   kernel keeps the number of threads as one word, and what it says is true of one moment.
   At that moment nobody is there who could make a thread, start a region or run code of the
   program's, because the RTS's threads sleep for ever; so nobody will be there later.  The first
   thread is known to be through with its destructors because the kernel calls it a zombie, which
   it stays; that is read before the number.  Workers of the pool count as others: they
   end when no master is left (team/pool.c).

   Without /proc nobody can tell, and the process waits to be killed.  */
#include "threads/ghc/rts.h"

#include "threads/ghc/rts.h"
#include "threads/substrate.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* The times between two looks grow: such a process may go on for long.  */
#define FIRST_PAUSE_NS 1000000
#define LONGEST_PAUSE_NS 100000000

/* What /proc/self/stat says of the first thread and of the process; in the kernel's order of
   reading, the state comes before the number.  */
static bool read_state(char *state, long *threads)
{
  char text[1024];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : -1;
  if (file >= 0)
    close(file);
  if (size <= 0)
    return false;
  text[size] = '\0';
  const char *after_name = strrchr(text, ')'); /* the name may hold anything */
  return after_name != NULL &&
         sscanf(after_name, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld",
                state, threads) == 2;
}

/* The first thread, this one, and one of the RTS for each Capability but the first.  */
static bool nobody_else_is_left(void)
{
  char state;
  long threads;
  return read_state(&state, &threads) && state == 'Z' &&
         threads == 2 + (long)ghcomp_capability_count() - 1;
}

static sigset_t mask; /* the first thread's */

static void *watch(void *nothing)
{
  struct timespec pause = {0, FIRST_PAUSE_NS};
  prctl(PR_SET_NAME, "omp end"); /* top -H shows it */
  while (!nobody_else_is_left()) {
    nanosleep(&pause, NULL);
    pause.tv_nsec = pause.tv_nsec * 2 < LONGEST_PAUSE_NS ? pause.tv_nsec * 2 : LONGEST_PAUSE_NS;
  }
  pthread_sigmask(SIG_SETMASK, &mask, NULL); /* handlers of the exit are the program's */
  exit(EXIT_SUCCESS);
  return nothing;
}

/* Signals of the program are not for this thread.  Where it cannot be had, the process waits
   to be killed.  */
void ghcomp_ending_watch(void)
{
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  ghcomp_spawn_thread(watch, NULL, 0, -1);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
