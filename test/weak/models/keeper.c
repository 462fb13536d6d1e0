/* The last master ends while a free worker sleeps, or is about to.  The worker becomes the keeper
   of the pool and sleeps with a time-out, not for ever.
   code: wait/parking.c task/task_wait.c.  */
#include "team/pool.c"
#include "team/worker.c"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 2;

void ghcomp_turn_count_masters(int more)
{
  (void)more;
}

void weak_setup(void)
{
  make_members(2);
  pool.workers = pool.masters = 1;
  thread[1]->is_worker = true;
  ghcomp_lock_acquire(&pool.lock);
  push_free_worker(thread[1], 0);
  ghcomp_lock_release(&pool.lock);
}

/* A worker that gets no mail never returns.  */
void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    ghcomp_pool_remove_master();
  else
    wait_for_mail(self);
}

void weak_end(void)
{
  weak_fail("the worker has got mail");
}
