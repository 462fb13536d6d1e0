/* A member of a group takes two tasks together, which wait for each other.  It executes one of them, so the other member must find the
   second in its deque.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/search.c task/deque.c task/lineage.c task/priority.c
   memory/free_list.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/search.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"

enum { TOGETHER = BATCH_FROM / 4 };

unsigned weak_threads = 2;
static _Atomic int met[TOGETHER];

static void body(void *data)
{
  int mine = *(int *)data;
  if (mine >= TOGETHER)
    return;
  store_release_at(0, &met[mine], 1);
  weak_await(&met[1 - mine], sizeof met[0]);
}

void weak_setup(void)
{
  make_members(ALL_SEARCH + 1);
  make_headers();
  ghcomp_search_shape(team);
  struct thread *creator = be(ALL_SEARCH);
  for (int i = 0; i < BATCH_FROM; i++) {
    const struct task_request request = {.fn = body, .data = &i, .size = sizeof i, .deferrable = true};
    ghcomp_task_create(creator, &request);
  }
}

static bool both_have_begun(void)
{
  return load_relaxed_at(0, &met[0]) != 0 && load_relaxed_at(1, &met[1]) != 0;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  while (!both_have_begun())
    if (!ghcomp_search_pays(self, self->member->search_group[GATHER_BARRIER], team) || !ghcomp_task_run_any(self))
      weak_spin();
}

void weak_end(void)
{
  weak_assert(met[0] != 0 && met[1] != 0);
}
