/* A detached task's body ends while another thread fulfills its event, and the team's only
   member waits for the region's tasks: the second of the two completes the task, and the wait
   ends.  Then the fulfilling thread is out of the team, whose memory may go.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c core/barrier.c core/gather.c core/relay.c core/team.c.  */
#include "core/task.h"
#include "core/barrier.h"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 2;
static struct task *task;
static int result;

static void body(void *data)
{
  (void)data;
}

void weak_setup(void)
{
  make_members(2);
  team->size = team->heads = 1;
  for (unsigned i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      struct task *made = weak_alloc(sizeof *made);
      made->free.next = thread[i]->tasks.first;
      thread[i]->tasks.first = &made->free;
      thread[i]->tasks.count++;
    }
  ghcomp_deque_push(&team->members[0].deque, &team->members[0].implicit);
  ghcomp_deque_take(&team->members[0].deque, NULL, NULL);
  void *event = NULL;
  const struct task_request request = {.fn = body, .deferrable = true, .event = &event};
  ghcomp_task_create(be(0), &request);
  task = event;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    result = 1;
    ghcomp_task_fulfill(task);
    return;
  }
  ghcomp_barrier_wait(self);
  weak_assert(result == 1);
  weak_free(team);
}

void weak_end(void)
{
}
