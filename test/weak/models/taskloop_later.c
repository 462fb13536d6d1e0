/* A taskloop outlives its construct, and another member executes its task.  A later loop of the taskgroup finds it complete or not, and
   releases what its task is made from only if no thread uses that any more.
   code: task/taskloop.c task/ranges.c task/taskgroup.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c
   task/lineage.c task/priority.c memory/free_list.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "tasks.h"
#include "task/task_wait.h"
#include "task/taskgroup.h"
#include "team/team.h"

unsigned weak_threads = 2;
static int pattern[2] = {1, 1}, executed[2];

struct numbered {
  struct taskloop_request request;
  int which;
};

static void run(struct thread *self, const struct taskloop_request *request, uint64_t first, uint64_t last)
{
  int which = ((const struct numbered *)request)->which;
  (void)self, (void)first, (void)last;
  weak_assert(pattern[which] == 1);
  executed[which]++;
}

static void end(struct thread *self, const struct taskloop_request *request)
{
  (void)self;
  pattern[((const struct numbered *)request)->which]--;
}

static void begin(struct thread *self, int which)
{
  struct numbered loop = {.request = {.task = {.deferrable = true}, .count = 1, .step = 1, .tasks = 1, .grainsize = true, .nogroup = true,
                                  .size = sizeof loop, .run = run, .end = end},
                      .which = which};
  ghcomp_taskloop_run(self, &loop.request);
}

void weak_setup(void)
{
  make_members(weak_threads);
  make_headers();
  for (unsigned i = 0; i < weak_threads; i++)
    ghcomp_reserve_begin(&team->members[i], weak_threads);
  ghcomp_taskgroup_begin(be(0));
  begin(be(0), 0);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    ghcomp_task_run_any(self);
    return;
  }
  begin(self, 1);
  ghcomp_taskgroup_end(self);
  for (int i = 0; i < 2; i++)
    weak_assert(executed[i] == 1 && pattern[i] == 0);
}

void weak_end(void)
{
}
