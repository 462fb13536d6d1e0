/* One side makes locks and both sides use them, also nestable locks, whose size differs between the two headers.  */
#include "mixed.h"

enum { ROUNDS = 2000, THREADS = 4 };
struct shared {
  omp_lock_t *lock;
  long count;
};

BOTH(omp_lock_t *, make, void);
BOTH(void, drop, omp_lock_t *lock);
BOTH(void, add, struct shared *shared, void *variable);
BOTH(void, run, struct shared *shared);

#ifdef MAIN
int main(void)
{
  omp_set_dynamic(0);
  struct shared shared = {.lock = gcc_make()};
  clang_run(&shared);
  gcc_run(&shared);
  clang_drop(shared.lock);
  CHECK(shared.count == 2 * 4 * THREADS * ROUNDS);
  shared = (struct shared){.lock = clang_make()};
  gcc_run(&shared);
  clang_run(&shared);
  gcc_drop(shared.lock);
  CHECK(shared.count == 2 * 4 * THREADS * ROUNDS);
  return mixed_wrong != 0;
}
#else
#include <stdlib.h>
#include <string.h>

omp_lock_t *SIDE(make)(void)
{
  omp_lock_t *lock = malloc(sizeof *lock);
  omp_init_lock(lock);
  return lock;
}

void SIDE(drop)(omp_lock_t *lock)
{
  omp_destroy_lock(lock);
  free(lock);
}

void SIDE(add)(struct shared *shared, void *variable)
{
  omp_nest_lock_t *nest = variable;
  for (int i = 0; i < ROUNDS; i++) {
    omp_set_lock(shared->lock);
    shared->count++;
    omp_unset_lock(shared->lock);
    omp_set_nest_lock(nest);
    CHECK(omp_test_nest_lock(nest) == 2);
    omp_set_lock(shared->lock);
    shared->count++;
    omp_unset_lock(shared->lock);
    omp_unset_nest_lock(nest);
    omp_unset_nest_lock(nest);
  }
}

void SIDE(run)(struct shared *shared)
{
  struct {
    unsigned char before[16];
    omp_nest_lock_t nest;
    unsigned char after[16];
  } fenced;
  memset(&fenced, 0xa5, sizeof fenced);
  omp_init_nest_lock(&fenced.nest);
#pragma omp parallel num_threads(THREADS)
  {
    SIDE(add)(shared, &fenced.nest);
    OTHER(add)(shared, &fenced.nest);
  }
  omp_destroy_nest_lock(&fenced.nest);
  int touched = 0;
  for (unsigned i = 0; i < 16; i++)
    touched += fenced.before[i] != 0xa5 || fenced.after[i] != 0xa5;
  CHECK(touched == 0);
}
#endif
