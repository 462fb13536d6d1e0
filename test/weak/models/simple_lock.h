/* Locks for models that are not about locks (lock.c is): a thread waits for the holder, and no
   thread sleeps.  */
#ifndef WEAK_SIMPLE_LOCK_H
#define WEAK_SIMPLE_LOCK_H

#include "wait/lock.h"

void ghcomp_lock_acquire_slow(lock_word *lock)
{
  if (!ghcomp_lock_try(lock))
    weak_spin();
}

#endif
