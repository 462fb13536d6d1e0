/* C code of a user: regions, and regions that call back.  Built with -fopenmp.  */
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

/* What a member of a team does, and how large its team is.  */
static int compute(long turns, long *out)
{
  long x = 1;
  for (long i = 0; i < turns; i++)
    x = x * 6364136223846793005 + 1;
#pragma omp critical
  *out += x & 1;
  return omp_get_num_threads();
}

/* A region that computes; of `asked` threads, 0 for the usual number.  Returns how many it had.  */
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

/* Tasks that nobody here waits for, outside of any region; each with two children.  Counts those that
   have ended, and those whose wait did not wait or that were run by another thread than they see.  */
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

/* What the RTS keeps of OS threads that have run Haskell: its own count, which it hides from other
   libraries only.  */
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
