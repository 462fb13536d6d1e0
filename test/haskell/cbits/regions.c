/* A user's C code: regions, and regions that call back.  Built with -fopenmp.  */
#include <omp.h>

int regions_team_size(void)
{
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

double regions_sum(const double *values, long count)
{
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < count; i++)
    sum += values[i];
  return sum;
}

/* Nested: the team size inside a region.  */
int regions_inner_size(void)
{
  int size = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp atomic
  size += omp_get_num_threads();
  return size;
}

void regions_each(long count, void (*element)(long))
{
#pragma omp parallel for
  for (long i = 0; i < count; i++)
    element(i);
}

void regions_chunks(long count, long chunk, void (*body)(long, long))
{
#pragma omp parallel for schedule(dynamic)
  for (long i = 0; i < count; i += chunk)
    body(i, i + chunk < count ? i + chunk : count);
}

void regions_map(double *values, long count, double (*f)(double))
{
#pragma omp parallel for
  for (long i = 0; i < count; i++)
    values[i] = f(values[i]);
}

void regions_tasks(void **items, long count, void (*task)(void *))
{
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < count; i++) {
    void *item = items[i];
#pragma omp task firstprivate(item)
    task(item);
  }
}

/* The work of one member, which also stores the team's size.  */
static int compute(long turns, long *out)
{
  long x = 1;
  for (long i = 0; i < turns; i++)
    x = x * 6364136223846793005 + 1;
#pragma omp critical
  *out += x & 1;
  return omp_get_num_threads();
}

/* A region that computes, with `asked` threads; 0: the default.  Returns the size of its team.  */
int regions_busy(int asked, long turns, long *out)
{
  int size = 0;
  if (asked == 0) {
#pragma omp parallel reduction(max : size)
    size = compute(turns, out);
  } else {
#pragma omp parallel num_threads(asked) reduction(max : size)
    size = compute(turns, out);
  }
  return size;
}

/* Creates `count` tasks with two children each, outside of any region, and does not wait for them.  Counts the
   tasks that have ended, and those that did not wait for their children or whose thread number changed.  */
void regions_later(long count, long turns, long *done, long *wrong)
{
  for (long i = 0; i < count; i++) {
#pragma omp task firstprivate(turns, done, wrong)
    {
      long children = 0, out = 0;
      int number = omp_get_thread_num();
      for (int k = 0; k < 2; k++) {
#pragma omp task shared(children, out) firstprivate(turns, done)
        {
          compute(turns, &out);
#pragma omp atomic
          children++;
#pragma omp atomic
          ++*done;
        }
      }
#pragma omp taskwait
      if (children != 2 || number != omp_get_thread_num()) {
#pragma omp atomic
        ++*wrong;
      }
#pragma omp atomic
      ++*done;
    }
  }
}

/* The RTS's own count of OS threads that have run Haskell; the RTS hides it from other libraries only.  */
extern unsigned taskCount;

int regions_rts_tasks(void)
{
  return (int)taskCount;
}

/* Lets the pool's workers end.  */
void regions_pause(void)
{
  omp_pause_resource_all(omp_pause_hard);
}
