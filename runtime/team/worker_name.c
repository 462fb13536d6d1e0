/* Numbers of workers, and the names made from them.

   Invariant: living workers have different numbers.  Each got the lowest number that was free when
   it was started.

   A worker's name says which worker of the pool it is, not which thread of which team.  A worker
   goes from team to team.  A name for its place would cost a system call at each change, or would
   be wrong while the worker computes, which is when people look.  In a program with one team the
   two numbers are the same: "omp 1" is thread 1.  Otherwise the gdb command `omp threads` shows the
   place of each worker.  So a name is given once, and a program that names its threads itself is
   not overruled.

   Longer names would be cut off by top on a terminal of 80 columns.  */
#include "team/thread.h"

#include "machine/thread.h"
#include "wait/lock.h"

#include <stdio.h>
#include <string.h>

enum { BITS = 64, WORDS = 1024 };

OWN_LOCK(lock);

/* Bit n - 1 is 1: a worker has the number n.  `used`: all words that are not 0 are below.  The lock
   guards both.  */
static uint64_t taken[WORDS];
static unsigned used;

unsigned ghcomp_worker_name_take(void)
{
  unsigned number = 0;
  ghcomp_lock_own(&lock.word);
  for (unsigned i = 0; i < WORDS && number == 0; i++) {
    if (taken[i] == UINT64_MAX)
      continue;
    unsigned bit = (unsigned)__builtin_ctzll(~taken[i]);
    taken[i] |= (uint64_t)1 << bit;
    number = i * BITS + bit + 1;
    used = used > i ? used : i + 1;
  }
  ghcomp_unlock_own(&lock.word);
  return number;
}

void ghcomp_worker_name_give_back(unsigned number)
{
  if (number == 0)
    return;
  ghcomp_lock_own(&lock.word);
  taken[(number - 1) / BITS] &= ~((uint64_t)1 << (number - 1) % BITS);
  ghcomp_unlock_own(&lock.word);
}

void ghcomp_worker_name_show(struct thread *self)
{
  char name[GHCOMP_THREAD_NAME];
  ghcomp_machine_get_thread_name(self->starter_name);
  if (self->number_in_pool == 0)
    return;
  snprintf(name, sizeof name, "omp %u", self->number_in_pool);
  ghcomp_machine_set_thread_name(name);
}

void ghcomp_worker_name_after_fork(const struct thread *self)
{
  memset(taken, 0, used * sizeof taken[0]);
  used = 0;
  if (self != NULL && self->is_worker && self->number_in_pool != 0)
    ghcomp_machine_set_thread_name(self->starter_name);
}
