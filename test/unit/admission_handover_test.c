/* storey: admission */
/* Turns: the next master wakes beside the master that leaves, and not beside one of its workers.  Masks are simulated.  */
#include "admission_masters.h"

static int kept_off_thread, kept_off_processor, let_on_processor;
static bool refused;

bool ghcomp_machine_keep_off(int thread, int processor)
{
  EXPECT_NUMBER(kept_off_thread, 0); /* one at a time here */
  kept_off_thread = thread;
  kept_off_processor = processor;
  return !refused;
}

void ghcomp_machine_let_on(int processor)
{
  let_on_processor = processor;
}

/* Master 1 leaves; its worker was on this processor.  Master 2, which was last on processor 3, is the next of so many.  */
static void leave_beside(int worker, unsigned waiting)
{
  pthread_t threads[3];
  kept_off_thread = kept_off_processor = let_on_processor = 0;
  store_relaxed(&begun, 0);
  EXPECT_NUMBER(enter(1, 4, true), 4);
  for (unsigned i = 0; i < waiting; i++)
    threads[i] = start_waiting(2 + i);
  store_relaxed(&masters[2].waiter.processor, 3);
  masters[1].turn.worker_processors = worker >= 0 ? UINT64_C(1) << worker : 0;
  leave(1, 4);
  for (unsigned i = 0; i < waiting; i++)
    pthread_join(threads[i], NULL);
  EXPECT_NUMBER(load_relaxed(&begun), waiting);
  EXPECT_NUMBER(masters[2].turn.kept_off, 0);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
}

static void expect_kept_off(bool kept_off)
{
  EXPECT_NUMBER(kept_off_thread, kept_off ? masters[2].kernel_thread : 0);
  EXPECT_NUMBER(let_on_processor, kept_off && !refused ? 3 : 0);
}

int main(void)
{
  set_up_masters();
  time_passes(1); /* it stands still, so no thread begins without a turn */
  leave_beside(3, 3);
  expect_kept_off(true);
  leave_beside(2, 3);
  expect_kept_off(false);
  leave_beside(-1, 3);
  expect_kept_off(false);
  leave_beside(3, 2); /* the one that leaves would not get to the queue */
  expect_kept_off(false);
  masters[2].place_bound = 1;
  leave_beside(3, 3);
  expect_kept_off(false);
  masters[2].place_bound = 0;
  refused = true; /* it is the thread's only processor */
  leave_beside(3, 3);
  expect_kept_off(true);
  return expect_result();
}
