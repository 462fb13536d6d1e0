/* Single in teams of all shapes: of one group of members, of several, of clusters of groups.  With nowait members are at different
   constructs, across several blocks of them.  A cancelled region leaves them anywhere.  One thread executes each construct.
   env: OMP_CANCELLATION=true */
#include <omp.h>
#include <stdio.h>

enum { CONSTRUCTS = 60 };
static int executed[CONSTRUCTS], copied;

static int wrong_after(const char *what, int threads, int expected)
{
  int wrong = 0;
  for (int c = 0; c < CONSTRUCTS; c++) {
    wrong += executed[c] != expected;
    executed[c] = 0;
  }
  if (wrong != 0)
    printf("%s, %d threads: %d constructs were executed more or less than once\n", what, threads, wrong);
  return wrong;
}

static int all_executed(int threads)
{
#pragma omp parallel num_threads(threads)
  for (int c = 0; c < CONSTRUCTS; c++) {
#pragma omp single nowait
    {
#pragma omp atomic
      executed[c]++;
    }
  }
  return wrong_after("nowait", threads, 1);
}

static int copies(int threads)
{
  int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
  for (int c = 0; c < 4; c++) {
    int mine = -1;
#pragma omp single copyprivate(mine)
    mine = copied + c;
    wrong += mine != copied + c;
  }
  return wrong;
}

/* Members are at different constructs when they see it.  */
static void cancelled(int threads)
{
#pragma omp parallel num_threads(threads)
  for (int c = 0; c < CONSTRUCTS; c++) {
#pragma omp single nowait
    {
#pragma omp atomic
      copied++;
    }
#pragma omp cancel parallel if (omp_get_thread_num() % 3 == 0 && c == omp_get_thread_num() * 7 % 40)
#pragma omp cancellation point parallel
  }
}

int main(void)
{
  static const int sizes[] = {2, 8, 9, 16, 17, 63, 64, 65, 130, 7, 70, 12, 300};
  int wrong = 0;
  for (int round = 0; round < 3; round++)
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      wrong += all_executed(sizes[i]) + copies(sizes[i]);
      cancelled(sizes[i]);
      wrong += all_executed(sizes[i]);
    }
  return wrong != 0;
}
