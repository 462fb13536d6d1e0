/* The ordered parts of a loop's iterations run in order, and each sees what those before it wrote, whatever the schedule,
   also if some iterations have no such part, if threads sleep before their turns, and if several loops run at a time.
   each: OMP_DYNAMIC=false OMP_WAIT_POLICY=active OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=1000 */
#include <omp.h>
#include <stdio.h>

enum { LOOPS = 40, MANY = 1200, FEW = 5 };

static int wrong;

/* Plain memory: only the order protects it.  */
static struct seen {
  int next, parts;
} seen[MANY];

static void linger(int turns)
{
  for (volatile int i = 0; i < turns; i++)
    ;
}

/* `i`: the iteration's number in the loop's order.  */
static void part(struct seen *loop, int i)
{
  if (i < loop->next && wrong++ < 10)
    printf("iteration %d comes after %d\n", i, loop->next - 1);
  loop->next = i + 1;
  loop->parts++;
}

static void expect(const char *what, int threads, int count, struct seen *loop, int parts)
{
  if (loop->parts != parts && wrong++ < 10)
    printf("%s, %d threads, %d iterations: %d ordered parts, not %d\n", what, threads, count, loop->parts, parts);
  *loop = (struct seen){0};
}

/* Each third iteration has no ordered part.  */
#define LOOP(name, schedule)                                                                                        \
  static void name(int threads, int count)                                                                          \
  {                                                                                                                 \
    _Pragma("omp parallel num_threads(threads)")                                                                    \
    {                                                                                                               \
      _Pragma(schedule) for (int i = 0; i < count; i++)                                                             \
      {                                                                                                             \
        if (i % 5 == threads % 5)                                                                                   \
          linger(300);                                                                                              \
        if (i % 3 != 0) {                                                                                           \
          _Pragma("omp ordered") part(&seen[0], i);                                                                 \
        }                                                                                                           \
        if (i % 7 == 0)                                                                                             \
          linger(300);                                                                                              \
      }                                                                                                             \
      _Pragma("omp master") expect(schedule, threads, count, &seen[0], count - (count + 2) / 3);                    \
    }                                                                                                               \
  }
LOOP(in_one_part, "omp for ordered schedule(static)")
LOOP(dealt, "omp for ordered schedule(static, 1)")
LOOP(dealt_by_3, "omp for ordered schedule(static, 3)")
LOOP(dynamic, "omp for ordered schedule(dynamic)")
LOOP(dynamic_by_4, "omp for ordered schedule(dynamic, 4)")
LOOP(guided, "omp for ordered schedule(guided)")
LOOP(guided_by_2, "omp for ordered schedule(guided, 2)")
LOOP(at_run_time, "omp for ordered schedule(runtime)")

static void each_schedule(int threads, int count)
{
  in_one_part(threads, count);
  dealt(threads, count);
  dealt_by_3(threads, count);
  dynamic(threads, count);
  dynamic_by_4(threads, count);
  guided(threads, count);
  guided_by_2(threads, count);
  omp_set_schedule(omp_sched_dynamic, 2);
  at_run_time(threads, count);
  omp_set_schedule(omp_sched_static, 2);
  at_run_time(threads, count);
}

static void downward(int threads)
{
#pragma omp parallel for num_threads(threads) ordered schedule(dynamic, 2)
  for (unsigned long long i = 301; i > 1; i -= 3)
#pragma omp ordered
    part(&seen[0], (int)(301 - i) / 3);
  expect("downward", threads, 100, &seen[0], 100);
}

static void nested(int outer, int inner)
{
#pragma omp parallel num_threads(outer)
  {
    struct seen *mine = &seen[omp_get_thread_num()];
#pragma omp parallel for num_threads(inner) ordered schedule(static, 1)
    for (int i = 0; i < 50; i++)
#pragma omp ordered
      part(mine, i);
    expect("nested", inner, 50, mine, 50);
  }
}

/* Members go from loop to loop as soon as they may.  */
static void in_flight(int threads)
{
#pragma omp parallel num_threads(threads)
  for (int loop = 0; loop < LOOPS; loop++) {
    if (loop % 2 == 0) {
#pragma omp for ordered schedule(dynamic) nowait
      for (int i = 0; i < 2 * threads; i++)
#pragma omp ordered
        part(&seen[loop], i);
    } else {
#pragma omp for ordered schedule(static, 1) nowait
      for (int i = 0; i < 2 * threads; i++)
#pragma omp ordered
        part(&seen[loop], i);
    }
  }
  for (int loop = 0; loop < LOOPS; loop++)
    expect("in flight", threads, 2 * threads, &seen[loop], 2 * threads);
}

/* The last thread comes when the others have finished all loops.  */
static void far_ahead(int threads)
{
  int others = 0;
#pragma omp parallel num_threads(threads)
  {
    int done = 0;
    while (omp_get_thread_num() == threads - 1 && done < threads - 1) {
#pragma omp atomic read acquire
      done = others;
      linger(100);
    }
    for (int loop = 0; loop < MANY; loop++) {
#pragma omp for ordered schedule(dynamic) nowait
      for (int i = 0; i < FEW; i++)
#pragma omp ordered
        part(&seen[loop], i);
    }
#pragma omp atomic update release
    others++;
  }
  for (int loop = 0; loop < MANY; loop++)
    expect("far ahead", threads, FEW, &seen[loop], FEW);
}

int main(void)
{
  static const int sizes[] = {1, 2, 3, 4, 7, 12};
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int k = 0; k < 6; k++) {
    int threads = sizes[k];
    for (int count = 0; count < 4; count++)
      each_schedule(threads, count);
    for (int count = threads - 1; count <= threads + 1; count++)
      each_schedule(threads, count);
    each_schedule(threads, 200);
    downward(threads);
    in_flight(threads);
  }
  nested(2, 3);
  nested(3, 5);
  far_ahead(4);
  return wrong != 0;
}
