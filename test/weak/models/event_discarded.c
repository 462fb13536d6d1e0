/* A detached task is cancelled before it begins, while another thread fulfills its event.  The team's only member does not wait for
   the event if it is first; else the task is complete when the event is fulfilled.  The header is free for the other thread in the
   first case, and not before its last use.
   code: team/event.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/header.h"
#include "task/task.h"
#include "team/team.h"

unsigned weak_threads = 2;
static struct task *task;

static void body(void *data)
{
  (void)data;
  weak_assert(false);
}

void weak_setup(void)
{
  make_members(2);
  team->size = team->heads = 1;
  for (unsigned i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      struct task *made = weak_alloc(sizeof *made);
      made->free.next = thread[i]->tasks.free_headers.first;
      thread[i]->tasks.free_headers.first = &made->free;
      thread[i]->tasks.free_headers.count++;
    }
  ghcomp_deque_push(&team->members[0].deque, &team->members[0].implicit);
  ghcomp_deque_take(&team->members[0].deque, NULL, NULL);
  void *event = NULL;
  const struct task_request request = {.fn = body, .deferrable = true, .event = &event};
  ghcomp_task_create(be(0), &request);
  task = event;
  team->cancelled = true;
}

/* For another task: what the first thread did with the header is over.  */
static void use_again(struct thread *self)
{
  struct task *other = ghcomp_header_take(self);
  other->fn = body;
  ghcomp_header_put(self, other);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    ghcomp_event_fulfill(task);
    if (self->tasks.free_headers.first == &task->free)
      use_again(self);
    return;
  }
  ghcomp_barrier_wait(self);
  weak_free(team);
}

/* The header has one place.  */
void weak_end(void)
{
  unsigned free = 0;
  for (unsigned i = 0; i < 2; i++)
    for (struct free_item *item = thread[i]->tasks.free_headers.first; item != NULL; item = item->next)
      free += item == &task->free;
  weak_assert(free == 1 && task->detach == 0);
}
