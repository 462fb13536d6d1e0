/* The C half: stops once in each place.  */
#include <omp.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>

__attribute__((noinline)) void stop_here(const char *where)
{
  __asm__ volatile("" : : "r"(where) : "memory");
}

static int is_helper(void)
{
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  return strncmp(name, "omp ", 4) == 0;
}

static _Atomic int stopped_unsafe[2], stopped_safe[2], helper_was_here;

void body_unsafe(long i)
{
  (void)i;
  int helper = is_helper();
  if (stopped_unsafe[helper]++ == 0)
    stop_here(helper ? "unsafe, helper" : "unsafe, caller");
}

/* Helpers are called once the first iterations have shown that there is work.  The caller's later iterations
   wait for a helper, so that one takes part.  */
void body_safe(long i)
{
  int helper = is_helper();
  for (int k = 0; k < 10000; k++)
    __asm__ volatile("");
  if (stopped_safe[helper]++ == 0)
    stop_here(helper ? "safe, helper" : "safe, caller");
  helper_was_here |= helper;
  while (i >= 1000 && !helper && !helper_was_here)
    sched_yield();
}

void region(void)
{
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    stop_here("region");
}

void call_back(long (*function)(long))
{
  long sum = function(1);
  __asm__ volatile("" : : "r"(sum));
}

void many_arguments(long a, long b, long c, long d, long e, long f, long g, long h, long i)
{
  stop_here(a + b + c + d + e + f + g + h + i == 37 ? "callback" : "wrong arguments");
  __asm__ volatile("");
}
