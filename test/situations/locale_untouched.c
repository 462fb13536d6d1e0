/* The start of GHC's runtime system changes the locale at no moment: other threads may be using it.
   env: LC_ALL=C.UTF-8
   link: -rdynamic */
#include <omp.h>
#include <locale.h>

static _Atomic int calls;

/* In place of the C library's, for everything in this process.  */
char *setlocale(int category, const char *locale)
{
  (void)category;
  calls += locale != 0;
  return 0;
}

int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum++;
  return sum != 4 ? 1 : calls != 0 ? 2 : 0;
}
