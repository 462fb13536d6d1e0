/* Ranges of a taskloop's tasks, which threads halve among themselves.

   If one thread created all tasks of a loop, the others would meet at its deque, and wait for it.  So the tasks that nobody has
   begun stand in deques as ranges.  Whoever takes a range leaves halves of it in the own deque and goes on with the rest, whose tasks
   it executes at once, one after the other.  A simulated taskloop of 1280 tasks of 1 us took 64 threads 75 us, and 1088 us when one
   thread created the tasks.

   A thread leaves halves until the rest is its fair share, and again when others have taken all that it has left.  So a thread that
   looks for tasks finds some after one body at most.  Of a range with no more tasks than there are other threads it keeps one,
   because another thread may wait for each of the others.  What nobody has taken it takes back.

   A range that waits has a header like a task that is deferred, and whoever finds it runs it like one.  The loop's tasks are
   children of the thread's current task: the range, or the task that encountered the loop.

   Invariants:
     - Each task of the loop is in one range, or was executed or left out once.
     - `unfinished` is above 1 while a task of the loop is in a range or is executed.  So the taskgroup, in which the loop counts as
       one task, does not end before; and till then the request, and the data that tasks copy, must stay.

   Only where a taskgroup of the current task outlives the loop: see ghcomp_taskloop_run.

   Models: test/weak/models/taskloop.c, taskloop_beyond.c, taskloop_later.c.  Source: Tzannes and others, "Lazy Binary-Splitting",
   PPoPP 2010.  */
#ifndef GHCOMP_TASK_RANGES_H
#define GHCOMP_TASK_RANGES_H

#include "task/cut.h"
#include "task/taskgroup.h"

struct taskloop {
  const struct taskloop_request *request;
  struct cut cut;
  struct task *creator;       /* the task that encountered it */
  struct taskgroup *group;
  struct taskloop *next;      /* of the group's that outlive their construct; see taskloop.c */
  unsigned char padding[CACHELINE]; /* threads that begin a task read what is above */
  wait_count unfinished;      /* tasks that are not complete, and 1 for the group */
  unsigned char more_padding[CACHELINE - sizeof(wait_count)];
};

/* So that they can be counted.  */
enum { MOST_IN_RANGES = 1 << 30 };

/* The current task has encountered the loop, and counted it in the group.  Executes or leaves to others what is to be done.  */
void ghcomp_ranges_run(struct thread *self, struct taskloop *loop);

/* Of which task a task with that parent is a child in the program's eyes.  */
struct task *ghcomp_ranges_parent(struct task *parent);

#endif
