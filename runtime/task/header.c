#include "task/header.h"

#include "base/memory.h"
#include "task/at_once.h"
#include "task/event.h"
#include "task/task.h"

_Static_assert(sizeof(struct task) == 4 * CACHELINE, "headers are whole lines");
struct free_depot ghcomp_headers = {.size = sizeof(struct task)};

void ghcomp_header_drop_payload(struct task *task)
{
  ghcomp_memory_release(task->payload);
  task->payload = NULL;
}

void ghcomp_header_drop_rare(struct task *task)
{
  if (task->has_rare_fields)
    ghcomp_icv_scope_drop(task);
  if ((task->flags & TASK_DETACH) != 0) {
    ghcomp_task_forget_event(task);
    ghcomp_header_drop_payload(task);
  }
}

void ghcomp_header_put_back(struct thread *self, struct task *task)
{
  ghcomp_header_put(self, task);
}

struct task *ghcomp_task_fresh_header(struct thread *self)
{
  struct task *task = ghcomp_header_take(self);
  store_relaxed(&task->runner, self);
  return task;
}

void ghcomp_task_drop_headers(struct thread *thread)
{
  while (thread->tasks.headers_at_hand != NULL) {
    struct task *task = thread->tasks.headers_at_hand;
    thread->tasks.headers_at_hand = task->next;
    ghcomp_free_list_put(&thread->tasks.free_headers, &ghcomp_headers, &task->free);
  }
  ghcomp_free_list_keep(&thread->tasks.free_headers, &ghcomp_headers, 0);
}
