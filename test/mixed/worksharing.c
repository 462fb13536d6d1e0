/* Constructs of one compiler's code in a team that the other's code started: the team must treat both alike, in any
   order and with nowait between them.  */
#include "mixed.h"

enum { N = 1000, THREADS = 4 };

struct work {
  int had[8][N];       /* executions of each iteration of each loop */
  int last[8];         /* lastprivate */
  int order, wrong_order;
  int sections, singles, masters;
  long critical, sum;
};

BOTH(void, shares, struct work *work, int first_loop);
BOTH(void, team, struct work *work);

#ifdef MAIN
#include <string.h>

static struct work work;

static void check_work(void)
{
  for (int loop = 0; loop < 8; loop++) {
    int wrong = 0;
    for (int i = 0; i < N; i++)
      wrong += work.had[loop][i] != 1;
    CHECK(wrong == 0);
    CHECK(work.last[loop] == N - 1);
  }
  CHECK(work.order == 2 * N && work.wrong_order == 0);
  CHECK(work.sections == 6 && work.singles == 4 && work.masters == 2);
  CHECK(work.critical == 2 * THREADS);
  CHECK(work.sum == 2 * (long)N * (N - 1) / 2);
}

int main(void)
{
  omp_set_dynamic(0);
  for (int round = 0; round < 50; round++) {
    memset(&work, 0, sizeof work);
    gcc_team(&work);
    check_work();
    memset(&work, 0, sizeof work);
    clang_team(&work);
    check_work();
  }
  return mixed_wrong != 0;
}
#else
static void note(struct work *work, int loop, int i)
{
#pragma omp atomic
  work->had[loop][i]++;
}


void SIDE(shares)(struct work *work, int first_loop)
{
  int *last = &work->last[first_loop], copied = 0, mine = -1;
  static int last_static, last_dynamic, last_guided, last_ordered;
#pragma omp for schedule(static) lastprivate(last_static)
  for (int i = 0; i < N; i++) {
    note(work, first_loop, i);
    last_static = i;
  }
#pragma omp for schedule(dynamic, 3) lastprivate(last_dynamic)
  for (int i = 0; i < N; i++) {
    note(work, first_loop + 1, i);
    last_dynamic = i;
  }
#pragma omp for schedule(guided) lastprivate(last_guided)
  for (int i = N - 1; i >= 0; i--) {
    note(work, first_loop + 2, i);
    last_guided = N - 1 - i;
  }
#pragma omp for schedule(dynamic, 2) ordered lastprivate(last_ordered)
  for (int i = 0; i < N; i++) {
    note(work, first_loop + 3, i);
    last_ordered = i;
#pragma omp ordered
    {
      work->wrong_order += work->order++ % N != i;
    }
  }
#pragma omp single nowait
  {
    last[0] = last_static;
    last[1] = last_dynamic;
    last[2] = last_guided;
    last[3] = last_ordered;
#pragma omp atomic
    work->singles++;
  }
#pragma omp sections nowait
  {
#pragma omp section
    {
#pragma omp atomic
      work->sections++;
    }
#pragma omp section
    {
#pragma omp atomic
      work->sections++;
    }
#pragma omp section
    {
#pragma omp atomic
      work->sections++;
    }
  }
#pragma omp single copyprivate(copied)
  {
    copied = 4711 + first_loop;
#pragma omp atomic
    work->singles++;
  }
  CHECK(copied == 4711 + first_loop);
#pragma omp master
  work->masters++;
#pragma omp critical(mixed)
  work->critical++;
  mine = omp_get_thread_num();
#pragma omp barrier
  CHECK(mine == omp_get_thread_num());
  static long sum;
#pragma omp single
  sum = 0;
#pragma omp for reduction(+ : sum) schedule(static, 7)
  for (int i = 0; i < N; i++)
    sum += i;
#pragma omp single nowait
  work->sum += sum;
#pragma omp barrier
}

void SIDE(team)(struct work *work)
{
#pragma omp parallel num_threads(THREADS)
  {
    SIDE(shares)(work, 0);
    OTHER(shares)(work, 4);
  }
}
#endif
