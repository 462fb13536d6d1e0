/* Descriptors of threads and teams are returned while others take some.  Nobody gets one that another thread has, none is lost, and
   who takes one sees what was written into it before it was returned.
   code: team/reuse.c.  */
#include "team/team.h"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 3;
static struct thread *first, *second;
static struct team *other; /* and `team` */
static struct thread *has[3];
static struct team *has_team[3];

bool ghcomp_slots_make(struct team *of)
{
  (void)of;
  return true;
}

unsigned ghcomp_helper_number_leave_out(unsigned n)
{
  return n;
}

void ghcomp_stats_watch(struct counters *of)
{
  (void)of;
}

/* Both lists have one.  */
void weak_setup(void)
{
  first = ghcomp_reuse_try_thread();
  second = ghcomp_reuse_try_thread();
  team = ghcomp_reuse_try_team(1);
  other = ghcomp_reuse_try_team(1);
  ghcomp_reuse_return_thread(first);
  ghcomp_reuse_return_team(team);
}

static void take(unsigned number)
{
  has[number] = ghcomp_reuse_try_thread();
  has[number]->number_in_pool++;
  has_team[number] = ghcomp_reuse_try_team(1);
  has_team[number]->workers++;
}

/* The first one also gives both back: then the first in the list may be the same as before, with another successor.  */
void weak_thread(unsigned number)
{
  if (number == 2) {
    second->number_in_pool++;
    ghcomp_reuse_return_thread(second);
    other->workers++;
    ghcomp_reuse_return_team(other);
    return;
  }
  take(number);
  if (number == 0) {
    ghcomp_reuse_return_thread(has[0]);
    ghcomp_reuse_return_team(has_team[0]);
  }
}

/* How often each was had is in it, so a lost one is missed; and none is in a list twice.  */
void weak_end(void)
{
  unsigned threads = has[1]->number_in_pool, teams = has_team[1]->workers;
  has[1]->number_in_pool = has_team[1]->workers = 0;
  for (unsigned i = 0; i < 3; i++) {
    struct thread *thread = ghcomp_reuse_try_thread();
    struct team *of = ghcomp_reuse_try_team(1);
    weak_assert(thread != has[1] && of != has_team[1]);
    threads += thread->number_in_pool;
    teams += of->workers;
    thread->number_in_pool = of->workers = 0;
  }
  weak_assert(threads == 3 && teams == 3);
}
