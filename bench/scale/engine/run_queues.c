/* The kernel's scheduler, for more threads than processors.  A processor runs one thread; others that are ready wait in its queue.
   The running thread gives way when its slice is over, when it yields, sleeps or ends, and, if it has run for some time, to a
   thread that was woken.  A woken thread goes to its last processor, or to an idle one if that is busy; a processor that becomes
   idle takes a thread from the longest queue.  Threads are not bound.  */
#include "engine.h"

struct processor {
  struct thread *runs, *first, *last;
  int waiting;
  ps since, slice_end; /* of the running thread */
};
static struct processor all[MOST];

static void append(struct processor *p, struct thread *t)
{
  t->next = NULL;
  if (p->first == NULL)
    p->first = t;
  else
    p->last->next = t;
  p->last = t;
  p->waiting++;
}

static struct thread *take(struct processor *p)
{
  struct thread *t = p->first;
  p->first = t->next;
  p->waiting--;
  return t;
}

/* `at`: when the processor is free for it.  A thread that has waited runs after a switch of contexts.  */
static void run(struct processor *p, struct thread *t, ps at, bool waited)
{
  t->processor = (int)(p - all);
  t->time = t->time > at ? t->time : at;
  if (waited)
    t->time += NS(cost.switches);
  p->runs = t;
  p->since = t->time;
  p->slice_end = t->time + NS(cost.slice);
  rank(t);
}

static struct processor *idle_one(void)
{
  for (int i = 0; i < processors; i++)
    if (all[i].runs == NULL)
      return &all[i];
  return NULL;
}

static ps since_it_runs(const struct processor *p, ps now) { return now > p->since ? now - p->since : 0; }

bool has_processor(const struct thread *t) { return all[t->processor].runs == t; }

void become_ready(struct thread *t)
{
  struct processor *own = &all[t->processor], *idle = own->runs == NULL ? own : idle_one();
  if (idle != NULL) {
    run(idle, t, 0, false);
    return;
  }
  append(own, t);
  if (own->since + NS(cost.preempts_after) <= t->time && t->time < own->slice_end)
    own->slice_end = t->time;
  rank(t);
}

/* The clock of a thread stands still while it sleeps or waits for a processor.  */
ps computed(const struct thread *t)
{
  return t->computed + (has_processor(t) ? since_it_runs(&all[t->processor], self->time) : 0);
}

static struct processor *longest_queue(void)
{
  struct processor *longest = NULL;
  for (int i = 0; i < processors; i++)
    if (all[i].waiting > (longest != NULL ? longest->waiting : 0))
      longest = &all[i];
  return longest;
}

/* The running thread sleeps or has ended.  */
void leave_processor(void)
{
  struct processor *own = &all[self->processor], *from = own->first != NULL ? own : longest_queue();
  self->computed += since_it_runs(own, self->time);
  own->runs = NULL;
  if (from != NULL)
    run(own, take(from), self->time, true);
}

static void give_way(struct processor *p)
{
  struct thread *t = p->runs;
  t->computed += since_it_runs(p, t->time);
  append(p, t);
  run(p, take(p), t->time, true);
}

void give_way_if_over(void)
{
  struct processor *own = &all[self->processor];
  if (own->runs == self && own->first != NULL && self->time >= own->slice_end)
    give_way(own);
}

void yield_processor(void)
{
  struct processor *own = &all[self->processor];
  if (own->first != NULL) {
    give_way(own);
    choose();
  }
}

ps end_of_slice(const struct thread *t)
{
  const struct processor *own = &all[t->processor];
  return own->first != NULL ? own->slice_end : EVER;
}
