/* The end of a process whose first thread has called pthread_exit.

   Such a process ends, with status 0, when its last thread has ended.  The RTS's threads never end,
   so the system never sees that moment.  A thread that is started for this purpose watches for it.
   From time to time it reads how many threads the process has.  It calls exit(0), as the C library
   would, when only three kinds are left: the first thread, which has ended, the RTS's threads, and
   itself.

   Why that is the right moment: only a thread of the process can start another one.  The kernel
   keeps the number of threads in one word, so the number is true for one moment.  At that moment
   there is no thread that could start another one, start a region or run code of the program,
   because the RTS's threads sleep for ever.  So there will be none later.  The first thread has
   finished its destructors when the kernel calls it a zombie, which it remains; this is read before
   the number.  Workers of the pool count as other threads: they end when no master is left
   (team/pool.md).

   Without /proc the thread cannot know, and the process waits until it is killed.  */
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

/* The times between two looks grow, because such a process may go on for long.  */
#define FIRST_PAUSE_NS 1000000
#define LONGEST_PAUSE_NS 100000000

/* Reads /proc/self/stat: the first thread's state, and the number of threads.  The kernel
   determines the state before the number.  */
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
  pthread_sigmask(SIG_SETMASK, &mask, NULL); /* exit handlers belong to the program */
  exit(EXIT_SUCCESS);
  return nothing;
}

/* The thread blocks all signals, because signals of the program are not for it.  If it cannot be
   started, the process waits until it is killed.  */
void ghcomp_ending_watch(void)
{
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  ghcomp_spawn_thread(watch, NULL, 0);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
