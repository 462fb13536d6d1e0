/* Teams that gather in a tree and call their threads by relay, of all sizes up to three
   levels, with everybody asleep where that can be: nobody passes a barrier before all have
   come and the tasks are done, every member of every region begins, and a cancelled
   region leaves nothing behind.
   env: GHCOMP_TREE=2 GOMP_SPINCOUNT=0 OMP_CANCELLATION=true OMP_DYNAMIC=false */
#include <omp.h>
#include <string.h>

enum { MOST = 21, ROUNDS = 6, TASKS = 3 };

static int at[MOST * 16];

static int barriers(int size)
{
  int wrong = 0, begun = 0;
  memset(at, 0, sizeof at);
#pragma omp parallel num_threads(size) reduction(+ : wrong, begun)
  {
    int me = omp_get_thread_num();
    begun = 1;
    for (int r = 1; r <= ROUNDS; r++) {
#pragma omp atomic write relaxed
      at[me * 16] = r;
#pragma omp barrier
      for (int t = 0; t < size; t++) {
        int seen;
#pragma omp atomic read relaxed
        seen = at[t * 16];
        wrong += seen < r || seen > r + 1;
      }
    }
  }
  return wrong + (begun != size);
}

static int tasks(int size)
{
  int done = 0, early = 0;
#pragma omp parallel num_threads(size)
  for (int r = 1; r <= ROUNDS; r++) {
    for (int i = 0; i < TASKS; i++)
#pragma omp task shared(done)
#pragma omp atomic
      done++;
#pragma omp barrier
    int seen;
#pragma omp atomic read
    seen = done;
#pragma omp atomic
    early += seen < r * TASKS * size;
  }
  return early + (done != ROUNDS * TASKS * size);
}

/* Some leave the barriers by cancellation; the region after it is whole again.  */
static int cancelled(int size)
{
  int passed = 0;
#pragma omp parallel num_threads(size)
  {
    if (omp_get_thread_num() == size / 2) {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    passed++;
#pragma omp cancellation point parallel
  }
  return passed != 0;
}

/* The last member's event is what the others' barrier waits for.  */
static int late_events(int size)
{
  int before = 0, wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(before)
    {
#pragma omp atomic
      before++;
      omp_fulfill_event(event);
    }
#pragma omp barrier
    int seen;
#pragma omp atomic read
    seen = before;
    wrong += seen != size;
  }
  return wrong;
}

int main(void)
{
  int wrong = 0;
  for (int size = 2; size <= MOST; size++)
    wrong += barriers(size) + tasks(size) + cancelled(size) + barriers(size) + late_events(size);
  return wrong != 0;
}
