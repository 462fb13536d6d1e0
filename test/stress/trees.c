/* Teams with a tree barrier and relayed mail, of all sizes up to three levels, and of two and three
   clusters of the relay, whose threads sleep whenever they can.  No thread leaves a barrier before
   all have arrived and the tasks are done.  Every member of every region begins, and a region after
   a cancelled one is complete.
   env: GHCOMP_TREE=2 GOMP_SPINCOUNT=0 OMP_CANCELLATION=true OMP_DYNAMIC=false */
#include <omp.h>
#include <string.h>

enum { MANY = 21, MOST = 131, ROUNDS = 6, TASKS = 3 };

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

/* Some members leave the barriers by cancellation; the next region is complete again.  */
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

/* The first member's task completes when a task of the last member fulfills its event.  No member
   may leave the barrier before, and the thread that ends the phase is in a task then.  */
static int late_events(int size)
{
  int wrong = 0, fulfilled = 0;
  omp_event_handle_t event = 0, shown = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  {
    int me = omp_get_thread_num();
    if (me == 0) {
#pragma omp task detach(event)
      __asm__("");
#pragma omp atomic write seq_cst
      shown = event;
    }
    if (me == size - 1) {
#pragma omp task shared(shown, fulfilled)
      {
        omp_event_handle_t seen;
        do {
#pragma omp atomic read seq_cst
          seen = shown;
        } while (seen == 0);
#pragma omp atomic write
        fulfilled = 1;
        omp_fulfill_event(seen);
      }
    }
#pragma omp barrier
    int seen;
#pragma omp atomic read
    seen = fulfilled;
    wrong += seen != 1;
  }
  return wrong;
}

int main(void)
{
  int wrong = 0;
  for (int size = 2; size <= MOST; size = size < MANY ? size + 1 : size + 55) /* 76, 131 */
    wrong += barriers(size) + tasks(size) + cancelled(size) + barriers(size) + late_events(size);
  return wrong != 0;
}
