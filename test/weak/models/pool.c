/* Two masters, one worker.  One master starts a region on its idle team, while the other looks for
   a worker and may take it away.  At any time one master has the worker, and only that one writes
   its mail.
   code: team/hot.c team/reuse.c team/join.c wait/parking.c team/gather.c task/task_wait.c task/search.c.  */
#include "team/pool.c"
#include "team/fork.h"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 2;
static struct team *teams[2], *outer[2];

unsigned ghcomp_substrate_host_capabilities(void)
{
  return 2;
}

bool ghcomp_icv_host_shares(void)
{
  return true;
}

uint32_t ghcomp_stack_share(void)
{
  return STACK_PART_MOST;
}

unsigned ghcomp_icv_default_threads(void)
{
  return 2;
}

const struct substrate *ghcomp_substrate_start(unsigned capabilities)
{
  return NULL;
}

bool ghcomp_slots_make(struct team *of)
{
  (void)of;
  return true;
}

void ghcomp_slots_reset(struct team *of)
{
  (void)of;
}

static struct team *make(unsigned size, struct thread *master)
{
  struct team *made = weak_alloc(sizeof *made + size * sizeof made->members[0]);
  made->capacity = size;
  made->size = made->heads = size;
  for (unsigned i = 0; i < size; i++) {
    made->members[i].team = made;
    made->members[i].number = i;
  }
  made->members[0].thread = master;
  made->members[0].task = &made->members[0].implicit;
  made->members[0].implicit.icv = &made->own_icv;
  made->own_icv.thread_limit = UINT_MAX;
  return made;
}

/* The worker is docked at the first master's idle team; the second master's team has no worker.  */
void weak_setup(void)
{
  make_members(3);
  for (unsigned i = 0; i < 2; i++) {
    outer[i] = make(1, thread[i]);
    teams[i] = make(2, thread[i]);
    teams[i]->parent = &outer[i]->members[0];
    outer[i]->members[0].hot = teams[i];
    teams[i]->size = i == 0 ? 2 : 1;
  }
  teams[0]->workers = teams[0]->worker_heads = 1;
  teams[0]->members[1].thread = thread[2];
  teams[0]->had_workers = teams[1]->had_workers = true; /* the second team has lost its worker */
  ghcomp_pool_supply(teams[0], 1, 1, thread[0]);
  pool.workers = pool.masters = 1;
  teams[1]->state = TEAM_IDLE;
}

void weak_thread(unsigned number)
{
  static const struct region region;
  struct thread *self = be(number);
  self->member = &outer[number]->members[0];
  struct team *mine = ghcomp_team_take(self->member, 2, &region, false);
  weak_assert(mine == teams[number] && mine->size == mine->workers + 1);
  if (mine->workers == 1)
    ghcomp_worker_assign(mine->members[1].thread, &mine->members[1],
                         (struct mail_content){mine->region_number, mine->joined_when_all, 0});
  self->member = &mine->members[0];
  ghcomp_team_join(self);
}

void weak_end(void)
{
  weak_assert(teams[0]->workers + teams[1]->workers == 1);
}
