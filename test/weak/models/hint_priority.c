/* The same with a task that has a priority.  A member makes it and waits, without looking for tasks itself, for another one, at the
   barrier, to execute it: that one has just found that there is none, and goes to sleep.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c core/barrier.c core/gather.c core/relay.c core/team.c.  */
#include "core/barrier.h"
#include "core/task.h"
#include "made_team.h"
#include "simple_lock.h"
#include "tasks.h"

unsigned weak_threads = 2;
static int result;
static _Atomic uint32_t done;

static void body(void *data)
{
  (void)data;
  result = 1;
  store_release_at(0, &done, 1);
}

void weak_setup(void)
{
  make_members(2);
  make_headers();
  ghcomp_settings.max_task_priority = 1;
  team->hint = 1; /* of a task that has gone */
  team->tasking = true;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    const struct task_request request = {.fn = body, .deferrable = true, .priority = 1};
    ghcomp_task_create(self, &request);
    if (load_acquire_at(0, &done) == 0)
      weak_spin();
    weak_assert(result == 1);
  }
  ghcomp_barrier_wait(self);
}

void weak_end(void)
{
}
