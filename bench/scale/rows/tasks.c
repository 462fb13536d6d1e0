/* Tasks of one producer and of all.  */
#include "rows.h"
#include "by_one.h"

static void make(int tasks, double ns)
{
  for (int i = 0; i < tasks; i++) {
#pragma omp task
    scale_work(ns);
  }
}

static void producer(double ns, int for_each)
{
  TIMES(2)
  {
    begin();
    BY_ONE(make(for_each * n, ns));
    end(for_each);
  }
}

static void tasks_300ns(void) { producer(300, 20); }
static void tasks_1us(void) { producer(1000, 20); }
static void tasks_10us(void) { producer(1e4, 20); }
static void tasks_100us(void) { producer(1e5, 20); }

static void coarse_tasks(void)
{
  begin();
  TIMES(3)
  {
    BY_ONE(make(n, 1e6));
  }
  end(3);
}

static void served_at_join(void)
{
  TIMES(2)
  {
    begin();
#pragma omp parallel
#pragma omp single nowait
    make(20 * n, 1000);
    end(20);
  }
}

static void all_produce(void)
{
  TIMES(2)
  {
    begin();
#pragma omp parallel
    {
      make(50, 1000);
#pragma omp barrier
    }
    end(50);
  }
}

static void all_produce_join(void)
{
  TIMES(2)
  {
    begin();
#pragma omp parallel
    make(50, 1000);
    end(50);
  }
}

const struct row task_rows[] = {
  ROW("tasks-300ns", tasks_300ns, "a task of each", "one producer, tasks of 0.3 us, the others wait at a barrier"),
  ROW("tasks", tasks_1us, "a task of each", "one producer, tasks of 1 us"),
  ROW("tasks-10us", tasks_10us, "a task of each", "one producer, tasks of 10 us"),
  ROW("tasks-100us", tasks_100us, "a task of each", "one producer, tasks of 100 us"),
  ROW("coarse-tasks", coarse_tasks, "a round", "one producer, n tasks of 1 ms"),
  ROW("tasks-join", served_at_join, "a task of each", "one producer, tasks of 1 us, the others wait at the join"),
  ROW("all-produce", all_produce, "a task of each", "all produce tasks of 1 us, and meet at a barrier"),
  ROW("all-produce-join", all_produce_join, "a task of each", "all produce tasks of 1 us, and meet at the join"),
  {0}};
