/* Tasks of a hand-made team, whose bodies read ICVs that an ancestor owns.  */
#ifndef WEAK_FAMILY_H
#define WEAK_FAMILY_H

#include "made_team.h"
#include "simple_lock.h"
#include "task/lineage.h"
#include "task/task.h"

static struct owned_icv *own;
static int seen;

void ghcomp_depend_drop_table(struct depend_table *table)
{
  weak_assert(table == NULL);
}

static void look_at_icvs(void *data)
{
  (void)data;
  seen = ghcomp_self_pointer->member->task->icv->run_chunk;
}

static __attribute__((unused)) void nothing(void *data)
{
  (void)data;
}

static struct task *make(struct task *parent, void (*fn)(void *))
{
  struct task *made = weak_alloc(sizeof *made);
  made->team = team;
  made->fn = fn;
  made->icv = &own->icv;
  store_relaxed_at(0, &made->parent, parent);
  store_relaxed_at(0, &made->depth, load_relaxed_at(0, &parent->depth) + 1);
  parent->created++;
  return made;
}

static void give_icvs(struct task *task)
{
  task->icv = &own->icv;
  task->owned_icvs = own;
  task->has_rare_fields = true;
}

/* The members, and the ICVs.  */
static struct task *make_family(void)
{
  make_members(weak_threads);
  own = weak_alloc(sizeof *own);
  own->icv.run_chunk = 7;
  return &team->members[0].implicit;
}

#endif
