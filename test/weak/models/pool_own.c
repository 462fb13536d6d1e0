/* Where the host does not share threads, a free worker goes only to the master that has freed it.  One master ends, and with
   it its free worker, which sleeps or is about to.  Meanwhile another master looks for two workers: it takes the one that it
   has freed itself, and not the other one.
   code: wait/parking.c task/task_wait.c.  */
#include "team/pool.c"
#include "team/worker.c"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 3;
enum { ENDS, TAKES, WORKER_OF_ENDING, WORKER_OF_TAKING }; /* threads; the last one does not run */
static struct team *taken;

bool ghcomp_icv_host_shares(void)
{
  return false;
}

void weak_setup(void)
{
  make_members(4);
  pool.workers = pool.masters = 2;
  for (unsigned i = 0; i < 2; i++) {
    thread[i]->life = 1 + i;
    thread[2 + i]->is_worker = true;
    push_free_worker(thread[2 + i], owner_for(thread[i]));
  }
  taken = weak_alloc(sizeof *taken + 3 * sizeof taken->members[0]);
}

static void take(const struct thread *self)
{
  ghcomp_pool_supply(taken, 2, 1, self); /* and creates none */
  weak_assert(taken->workers == 1 && taken->members[1].thread == thread[WORKER_OF_TAKING]);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == ENDS) {
    ghcomp_pool_end_owned(self);
  } else if (number == TAKES) {
    take(self);
  } else {
    wait_for_mail(self); /* one that gets no mail never returns */
    weak_assert(self->mail.assignment == NULL);
  }
}

void weak_end(void)
{
  weak_assert(pool.workers == 1 && pool.free_count == 0 && pool.free_workers == NULL);
}
