/* Tasks as lineage.c sees them: parent, depth, and what the children reported.  */
#ifndef WEAK_LINEAGE_H
#define WEAK_LINEAGE_H

#include "state/thread.h"
#include "task/lineage.h"
#include "simple_lock.h"
#include "weak.h"

static struct team *team;

static void make_line(void)
{
  team = weak_alloc(sizeof *team);
}

static struct thread *make_thread(unsigned ended)
{
  struct thread *thread = weak_alloc(sizeof *thread);
  thread->member = weak_alloc(sizeof *thread->member);
  thread->member->team = team;
  thread->member->tasks.ended_before_children = ended;
  return thread;
}

static struct task *make_task(struct task *parent, unsigned depth)
{
  struct task *task = weak_alloc(sizeof *task);
  task->team = team;
  store_relaxed_at(0, &task->parent, parent);
  store_relaxed_at(0, &task->depth, depth);
  return task;
}

/* The task is complete, and the headers of `children` children are in use.  */
static void make_complete(struct task *task, unsigned children)
{
  task->created = children;
  store_relaxed_at(0, &task->from_children, (uint64_t)(ALL_FREE - children) << 32 | children);
}

/* Like ghcomp_children_leave in task.c.  */
static void complete(struct task *task, unsigned children)
{
  task->payload = NULL;
  add_seq_cst_at(0, &task->from_children, (uint64_t)(ALL_FREE - children) << 32);
}

#endif
