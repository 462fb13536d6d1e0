#include "task/deque.h"

#include "base/memory.h"
#include "state/thread.h"
#include "task/task.h"
#include "wait/lock.h"

int ghcomp_task_clamp_priority(int priority)
{
  if (priority < 0)
    return 0;
  return priority < ghcomp_settings.max_task_priority ? priority : ghcomp_settings.max_task_priority;
}

struct priority_queue {
  struct priority_queue *next; /* lower */
  int priority;
  struct task *first, *last;   /* linked by `next`; never empty */
};

/* The queue of that priority.  Makes it if there is none.
   Requires: queue_lock.  */
static struct priority_queue *queue_of(struct team *team, int priority)
{
  struct priority_queue **link = &team->tasks.queues;
  while (*link != NULL && (*link)->priority > priority)
    link = &(*link)->next;
  if (*link != NULL && (*link)->priority == priority)
    return *link;
  struct priority_queue *queue = ghcomp_memory_get(sizeof *queue);
  *queue = (struct priority_queue){.next = *link, .priority = priority};
  return *link = queue;
}

void ghcomp_priority_put(struct team *team, struct task *task)
{
  task->next = NULL;
  ghcomp_lock_acquire(&team->tasks.queue_lock);
  struct priority_queue *queue = queue_of(team, task->priority);
  if (queue->first == NULL)
    queue->first = task;
  else
    queue->last->next = task;
  queue->last = task;
  add_seq_cst(&team->tasks.queued, 1); /* pairs with the look in take and before a sleep */
  ghcomp_lock_release(&team->tasks.queue_lock);
}

/* Takes the first task that is accepted out of the queue.
   Requires: queue_lock.  */
static struct task *take_from(struct priority_queue *queue,
                              bool (*accept)(struct task *, struct task *), struct task *argument)
{
  struct task *before = NULL, *task = queue->first;
  while (task != NULL && accept != NULL && !accept(task, argument)) {
    before = task;
    task = task->next;
  }
  if (task == NULL)
    return NULL;
  if (before == NULL)
    queue->first = task->next;
  else
    before->next = task->next;
  if (queue->last == task)
    queue->last = before;
  return task;
}

struct task *ghcomp_priority_take(struct team *team, bool (*accept)(struct task *, struct task *),
                                  struct task *argument)
{
  if (load_seq_cst(&team->tasks.queued) == 0)
    return NULL;
  struct task *task = NULL;
  ghcomp_lock_acquire(&team->tasks.queue_lock);
  for (struct priority_queue **link = &team->tasks.queues; *link != NULL; link = &(*link)->next) {
    struct priority_queue *queue = *link;
    task = take_from(queue, accept, argument);
    if (task == NULL)
      continue;
    if (queue->first == NULL) {
      *link = queue->next;
      ghcomp_memory_release(queue);
    }
    sub_relaxed(&team->tasks.queued, 1); /* too high a count costs a look */
    break;
  }
  ghcomp_lock_release(&team->tasks.queue_lock);
  return task;
}
