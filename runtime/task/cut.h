/* How a taskloop's iterations are divided among its tasks.  */
#ifndef GHCOMP_TASK_CUT_H
#define GHCOMP_TASK_CUT_H

#include <stdint.h>

/* Task i of n has `longer` iterations if i < many, else `shorter`.  */
struct cut {
  uint64_t tasks, longer, many, shorter;
};

/* Values of the loop, mod 2^64: the task's first one, and that behind its last one.  A task's block begins with them.  */
struct bounds {
  uint64_t first, last;
};

/* Some of the tasks, and which of them is next.  */
struct walk {
  uint64_t task, end, many;
  uint64_t at, longer, shorter; /* in the loop's own terms, mod 2^64 */
};

static inline struct walk ghcomp_cut_walk(const struct cut *cut, uint64_t begin, uint64_t step, uint64_t task, uint64_t end)
{
  uint64_t of_many = task < cut->many ? task : cut->many;
  uint64_t before = of_many * cut->longer + (task - of_many) * cut->shorter;
  return (struct walk){.task = task, .end = end, .many = cut->many, .at = begin + before * step,
                       .longer = cut->longer * step, .shorter = cut->shorter * step};
}

static inline struct bounds ghcomp_cut_next(struct walk *w)
{
  uint64_t first = w->at;
  w->at += w->task++ < w->many ? w->longer : w->shorter;
  return (struct bounds){first, w->at};
}

static inline void ghcomp_cut_set_bounds(void *block, const void *bounds)
{
  *(struct bounds *)block = *(const struct bounds *)bounds;
}

#endif
