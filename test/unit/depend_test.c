/* storey: task */
/* Dependences alone, compared with the rule of the specification (5.2, 15.9.5), which is one
   function here.  Random tasks over a few addresses are registered and completed in random order.
   At each moment exactly those are ready whose predecessors are complete.  */
#include "task/depend.h"
#include "wait/lock.h"
#include "wait/parking.h"
#include "task/task.h"

#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 60, ADDRESSES = 5, ROUNDS = 4000 };
enum kind { NONE, IN, INOUT, SET }; /* of a task's dependence on an address */

static struct task *tasks;
static enum kind kinds[TASKS][ADDRESSES];
static bool everything[TASKS], ready[TASKS], complete[TASKS];
static char memory[ADDRESSES];

void ghcomp_ready_put(struct thread *self, struct task *task)
{
  (void)self;
  assert(!ready[task - tasks]);
  ready[task - tasks] = true;
}

static bool has_any(int task)
{
  for (int a = 0; a < ADDRESSES; a++)
    if (kinds[task][a] != NONE)
      return true;
  return everything[task];
}

/* The specification: does the later task depend on the earlier one?  */
static bool conflicts(int earlier, int later)
{
  if (everything[earlier] || everything[later])
    return has_any(earlier) && has_any(later);
  for (int a = 0; a < ADDRESSES; a++) {
    enum kind e = kinds[earlier][a], l = kinds[later][a];
    if (e != NONE && l != NONE && (e != l || e == INOUT))
      return true;
  }
  return false;
}

static bool may_run(int task)
{
  for (int e = 0; e < task; e++)
    if (!complete[e] && conflicts(e, task))
      return false;
  return true;
}

/* Writes the array as GCC does, with objects for inoutset.  Sometimes an address is in it twice,
   which counts as inout if the kinds differ.  */
static void describe(int number, void **array, void *objects[][2])
{
  void *outs[2 * ADDRESSES + 1], *ins[2 * ADDRESSES], *sets[2 * ADDRESSES];
  uintptr_t out = 0, in = 0, set = 0;
  memset(kinds[number], 0, sizeof kinds[number]);
  everything[number] = rand() % 40 == 0;
  for (int a = 0; a < ADDRESSES && !everything[number]; a++) {
    for (int times = rand() % 4 == 0 ? 1 + rand() % 2 : 0; times > 0; times--) {
      enum kind kind = 1 + rand() % 3, before = kinds[number][a];
      kinds[number][a] = before == NONE || before == kind ? kind : INOUT;
      if (kind == IN)
        ins[in++] = &memory[a];
      else if (kind == INOUT)
        outs[out++] = &memory[a];
      else
        sets[set++] = &memory[a];
    }
  }
  if (everything[number])
    outs[out++] = NULL;
  void **at = array;
  if (set == 0) { /* the older layout */
    *at++ = (void *)(out + in);
    *at++ = (void *)out;
  } else {
    *at++ = NULL;
    *at++ = (void *)(out + in + set);
    *at++ = (void *)out;
    *at++ = NULL;
    *at++ = (void *)in;
  }
  for (uintptr_t i = 0; i < out; i++)
    *at++ = outs[i];
  for (uintptr_t i = 0; i < in; i++)
    *at++ = ins[i];
  for (uintptr_t i = 0; i < set; i++) {
    objects[i][0] = sets[i];
    objects[i][1] = (void *)5; /* GOMP_DEPEND_INOUTSET */
    *at++ = objects[i];
  }
}

static void check_ready(int registered)
{
  for (int t = 0; t < registered; t++)
    assert(complete[t] || ready[t] == may_run(t));
}

/* The youngest task is behind each earlier one at most once, however many addresses order it.  */
static void check_edges(int youngest)
{
  for (int t = 0; t < youngest; t++) {
    if (complete[t])
      continue;
    int edges = 0;
    for (struct depend_edge *e = ghcomp_depend_node_successors(tasks[t].node); e != NULL; e = e->next)
      edges += e->successor == tasks[youngest].node;
    assert(edges <= 1 && (edges == 0 || conflicts(t, youngest)));
  }
}

static bool complete_one(struct thread *self, int registered)
{
  int start = rand() % (registered + 1);
  for (int i = 0; i < registered; i++) {
    int t = (start + i) % registered;
    if (ready[t] && !complete[t]) {
      complete[t] = true;
      ghcomp_depend_complete(self, tasks[t].node, ghcomp_ready_put);
      return true;
    }
  }
  return false;
}

static void round_of(struct thread *self, struct task *parent)
{
  void *array[5 + 6 * ADDRESSES], *objects[2 * ADDRESSES][2];
  memset(ready, 0, sizeof ready);
  memset(complete, 0, sizeof complete);
  int slow = 1 + rand() % 4; /* a task completes after one in so many creations */
  for (int t = 0; t < TASKS; t++) {
    describe(t, array, objects);
    if (ghcomp_depend_register(self, &tasks[t], array))
      ghcomp_ready_put(self, &tasks[t]);
    check_edges(t);
    if (rand() % slow == 0)
      complete_one(self, t + 1);
    check_ready(t + 1);
  }
  int rest = TASKS;
  while (complete_one(self, TASKS) && --rest >= 0)
    check_ready(TASKS);
  for (int t = 0; t < TASKS; t++)
    assert(complete[t]); /* no task waits for ever */
  ghcomp_depend_drop_table(parent->child_dependences);
  parent->child_dependences = NULL;
}

/* Each task depends on a new address and is complete before the next is created: the table forgets
   these addresses.  */
static void forgets(struct thread *self, struct task *parent)
{
  void *array[] = {(void *)1, (void *)1, NULL};
  size_t before = 0;
  for (uintptr_t i = 0; i < 100000; i++) {
    array[2] = (void *)(4096 + i * 64);
    assert(ghcomp_depend_register(self, &tasks[0], array));
    ghcomp_depend_complete(self, tasks[0].node, ghcomp_ready_put);
    if (i == 1000)
      before = mallinfo2().uordblks;
  }
  assert(mallinfo2().uordblks < before + 10000);
  ghcomp_depend_drop_table(parent->child_dependences);
  parent->child_dependences = NULL;
}

int main(void)
{
  struct task *parent = aligned_alloc(64, (sizeof *parent + 63) / 64 * 64);
  struct member *member = aligned_alloc(64, sizeof *member);
  struct thread *self = aligned_alloc(64, sizeof *self);
  memset((void *)parent, 0, sizeof *parent);
  memset((void *)member, 0, sizeof *member);
  memset((void *)self, 0, sizeof *self);
  tasks = calloc(TASKS, sizeof *tasks);
  member->task = parent;
  self->member = member;
  for (int round = 0; round < ROUNDS; round++) {
    srand(round + 1);
    round_of(self, parent);
  }
  forgets(self, parent);
  return 0;
}
