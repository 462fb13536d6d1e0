/* One long task for each thread, however they are made: each thread executes one, also the producer.  */
#include "meet.h"

#define PRODUCER(name, before, clauses, after)                            \
  static void name(void)                                                  \
  {                                                                       \
    _Pragma("omp parallel num_threads(n)") _Pragma("omp single")          \
    {                                                                     \
      before;                                                             \
      for (int i = 0; i < n; i++) {                                       \
        _Pragma(clauses) meet();                                          \
      }                                                                   \
      after;                                                              \
    }                                                                     \
  }

static char on[MOST_BODIES];
static _Atomic int all_made;

static void until_all_are_made(void)
{
  while (!all_made)
    usleep(50);
}

PRODUCER(produced, , "omp task", )
PRODUCER(waited_for, , "omp task", _Pragma("omp taskwait"))
PRODUCER(untied, , "omp task untied", )
PRODUCER(mergeable, , "omp task mergeable final(i < 0)", )
PRODUCER(with_priority, , "omp task priority(1)", )
PRODUCER(independent, , "omp task depend(inout: on[i])", )
PRODUCER(after_one, all_made = 0; _Pragma("omp task depend(out: on[0])") until_all_are_made(),
         "omp task depend(in: on[0])", all_made = 1)

/* The compiler leaves out a single's barrier at the end of a region.  */
static void at_barrier(void)
{
#pragma omp parallel num_threads(n)
  {
#pragma omp single nowait
    for (int i = 0; i < n; i++) {
#pragma omp task
      meet();
    }
#pragma omp barrier
  }
}

static void detached(void)
{
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < n; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
      meet();
      omp_fulfill_event(event);
    }
  }
}

static void grouped(void)
{
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < n; i++) {
#pragma omp task
    meet();
  }
}

static void of_loop(void)
{
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp taskloop num_tasks(n)
  for (int i = 0; i < n; i++)
    meet();
}

static void of_grains(void)
{
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp taskloop grainsize(1) nogroup
  for (int i = 0; i < n; i++)
    meet();
}

static void halve(int bodies)
{
  if (bodies == 1) {
    meet();
    return;
  }
  for (int i = 0; i < 2; i++) {
#pragma omp task
    halve(bodies / 2);
  }
}

static void tree(void)
{
#pragma omp parallel num_threads(n)
#pragma omp single
  halve(n);
}

static void one_of_each(void)
{
#pragma omp parallel num_threads(n)
#pragma omp task
  meet();
}

static void two_producers(void)
{
#pragma omp parallel num_threads(n)
  if (omp_get_thread_num() < 2)
    for (int i = 0; i < n / 2; i++) {
#pragma omp task
      meet();
    }
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(n / 2)
#pragma omp single
  for (int i = 0; i < n / 2; i++) {
#pragma omp task
    meet();
  }
}

static _Atomic int sink;

static void count(int levels)
{
  if (levels == 0) {
    sink++;
    return;
  }
  for (int i = 0; i < 2; i++) {
#pragma omp task
    count(levels - 1);
  }
#pragma omp taskwait
}

/* In the recursion nobody is idle, and at its end everybody is.  */
static void after_recursion(void)
{
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    count(10);
    for (int i = 0; i < n; i++) {
#pragma omp task
      meet();
    }
  }
}

/* The producer is a task, for which another thread may wait.  */
static void by_task(void)
{
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task
    for (int i = 0; i < n; i++) {
#pragma omp task
      meet();
    }
  }
}

int main(void)
{
  const struct meeting meetings[] = {
      {"produced", produced},
      {"taskwait", waited_for},
      {"untied", untied},
      {"mergeable", mergeable},
      {"priority", with_priority},
      {"independent", independent},
      {"after one task", after_one},
      {"at a barrier", at_barrier},
      {"detached", detached},
      {"taskgroup", grouped},
      {"taskloop num_tasks", of_loop},
      {"taskloop grainsize", of_grains},
      {"tree", tree},
      {"one of each thread", one_of_each},
      {"two producers", two_producers},
      {"nested", nested},
      {"after a recursion", after_recursion},
      {"made by a task", by_task},
  };
  meet_in_each(meetings, sizeof meetings / sizeof *meetings, 20);
  return 0;
}
