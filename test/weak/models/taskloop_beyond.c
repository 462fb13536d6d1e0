/* A taskloop outlives its construct.  A taskwait waits for its tasks, also for those of a range that has ended before a part of it, and
   the end of the taskgroup releases what they are made from, when no thread uses it any more.
   code: task/taskloop.c task/ranges.c task/taskgroup.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c
   task/lineage.c task/priority.c memory/free_list.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "tasks.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "task/taskgroup.h"
#include "team/team.h"

enum { TASKS = 3 };
unsigned weak_threads = 2;
static int executed[TASKS], pattern = 1, ended;

static void run(struct thread *self, const struct taskloop_request *request, uint64_t first, uint64_t last)
{
  (void)self, (void)request;
  weak_assert(pattern == 1 && last == first + 1);
  executed[first]++;
}

static void end(struct thread *self, const struct taskloop_request *request)
{
  (void)self, (void)request;
  pattern = 0;
  ended++;
}

/* The thief has executed one task of a range, and left the other to others.  */
void weak_setup(void)
{
  make_members(weak_threads);
  make_headers();
  for (unsigned i = 0; i < weak_threads; i++)
    ghcomp_reserve_begin(&team->members[i], weak_threads);
  struct taskloop_request request = {.task = {.deferrable = true}, .count = TASKS, .step = 1, .tasks = 1, .grainsize = true,
                                     .nogroup = true, .size = sizeof request, .run = run, .end = end};
  struct thread *self = be(0);
  ghcomp_taskgroup_begin(self);
  ghcomp_taskloop_run(self, &request);
  struct task *range = ghcomp_deque_steal(&team->members[0].deque, NULL, NULL);
  self = be(1);
  team->tasks.queued = 1; /* so that it gives way */
  ghcomp_task_run(self, range);
  team->tasks.queued = 0;
  weak_assert(executed[1] == 1);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    ghcomp_task_run_any(self);
    return;
  }
  ghcomp_task_wait(self);
  for (int i = 0; i < TASKS; i++)
    weak_assert(executed[i] == 1);
  weak_assert(ended == 0);
  ghcomp_taskgroup_end(self);
  weak_assert(ended == 1);
}

void weak_end(void)
{
}
