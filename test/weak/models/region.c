/* A master starts a region on one worker, joins it and sends the worker away.  Mail and join are
   ordered, and each of the two sees what the other did.
   code: team/worker.c team/fork.c team/hot.c team/join.c team/size.c wait/parking.c task/task_wait.c task/ready.c team/gather.c
   team/relay.c.  */
#include "made_team.h"
#include "region.h"
#include "task/task.h"
#include "team/pool.h"
#include "team/team.h"

unsigned weak_threads = 2;
static int given, result;

static void body(void *data)
{
  result = given + *(int *)data;
}

void weak_setup(void)
{
  make_region(weak_threads);
}

static void region(struct thread *self, int number)
{
  begin_region(self, body, &given);
  given = number;
  call_workers();
  ghcomp_team_join(self);
  weak_assert(result == 2 * number);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    run_worker(self);
    return;
  }
  region(self, 1);
  ghcomp_worker_dismiss(thread[1]);
}

void weak_end(void)
{
}
