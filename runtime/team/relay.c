/* How many threads are called.  See gather.md.

   Invariants: after a counter was set back, each index below its end is taken once, by a thread
   that then calls that member.  A counter is set back only when all threads that took an index have
   called their members and arrived, at the region's end or at the next barrier.  Members are mailed
   to even if no worker runs: the master comes to each counter until it has passed its end.  */
#include "team/team_wait.h"

#include "team/pool.h"
#include "wait/parking.h"

/* How many members one thread takes at a time.  Each time costs a transfer of the counter.  Of another cluster the master
   first calls only two: more would delay the next one, and if one of them does not run, the other does.  */
enum { MAILS = 4, MAILS_ELSEWHERE = 2, WAKES = 1 };

/* Of each cluster so many members come to its counter: twice as many as a thread calls at a time.  All others would wait in
   a row for it, most of them in vain.  */
enum { CALLERS = 8 };

/* Members that share a counter of mails.  With 16, 32 or 128 no size of team was called sooner (simulated).  */
#ifndef RELAY_CLUSTER /* a model has small ones */
#define RELAY_CLUSTER 64u
#endif

/* The first of up to `count` indices that nobody had taken; `size` or more: none is left.  */
static unsigned take(_Atomic uint32_t *next, unsigned count, unsigned size)
{
  return load_relaxed(next) < size ? add_relaxed(next, count) : size;
}

static unsigned end_of(unsigned first, unsigned count, unsigned size)
{
  return size - first > count ? first + count : size;
}

/* ---------------------------------------------------------------------- mails */

static unsigned clusters_of(const struct team *team)
{
  return (team->size + RELAY_CLUSTER - 1) / RELAY_CLUSTER;
}

static _Atomic uint32_t *next_in(struct team *team, unsigned cluster)
{
  return &team->members[cluster * RELAY_CLUSTER].gather_node.next_mail;
}

/* Calls the next few of a cluster.  False: none is left.  The counter cannot overflow: a caller adds once after the end.  A
   thread that may be one of many looks first, because a look costs the others less than an addition in vain.  */
static inline bool assign_few(struct team *team, unsigned cluster, unsigned count, bool is_caller,
                              struct mail_content content)
{
  unsigned first = cluster * RELAY_CLUSTER, width = end_of(first, RELAY_CLUSTER, team->size) - first;
  _Atomic uint32_t *next = next_in(team, cluster);
  unsigned i = is_caller ? add_relaxed(next, count) : take(next, count, width);
  if (i >= width)
    return false;
  for (unsigned end = end_of(i, count, width); i < end; i++)
    ghcomp_worker_assign(team->members[first + i].thread, &team->members[first + i], content);
  return true;
}

static void assign_in(struct team *team, unsigned cluster, bool is_caller, struct mail_content content)
{
  while (assign_few(team, cluster, MAILS, is_caller, content))
    ;
}

/* Where one has slept, others do as a rule.  A wake-up takes longer than a transfer, so all that are awake help.  */
void ghcomp_relay_assign_more(struct team *team, unsigned number, bool has_slept, struct mail_content content)
{
  unsigned own = number / RELAY_CLUSTER, clusters = clusters_of(team);
  bool is_caller = number % RELAY_CLUSTER < CALLERS;
  if (is_caller || has_slept)
    assign_in(team, own, is_caller, content);
  for (unsigned i = 1; has_slept && i < clusters; i++)
    assign_in(team, (own + i) % clusters, false, content);
}

void ghcomp_relay_assign_all(struct team *team, struct mail_content content)
{
  unsigned clusters = clusters_of(team);
  /* The mails release all of these.  The master is the first member.  */
  for (unsigned i = 0; i < clusters; i++)
    store_relaxed(next_in(team, i), i == 0);
  for (unsigned i = 1; i < clusters; i++)
    assign_few(team, i, MAILS_ELSEWHERE, true, content);
  assign_in(team, 0, true, content);
  for (unsigned i = 1; i < clusters; i++)
    assign_in(team, i, false, content);
}

/* ------------------------------------------------------------------- wake-ups */

void ghcomp_relay_wake_more(struct team *team)
{
  unsigned size = team->size;
  for (unsigned i; (i = take(&team->relay.next_wake, WAKES, size)) < size;)
    ghcomp_parking_wake(&team->members[i].thread->waiter);
}

/* A member that looks at the counter before it is set back finds all indices taken, or takes one
   that is taken again afterwards.  A second wake-up does no harm.  */
void ghcomp_relay_wake_all(struct team *team)
{
  store_relaxed(&team->relay.next_wake, 0);
  ghcomp_relay_wake_more(team);
}
