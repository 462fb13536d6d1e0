/* storey: task */
/* When a thief pauses, by how long its steals and the stolen tasks took.  The thread that tests may lose its processor
   between two looks at the clock, and a task is then longer than it should be.  So what a short task does must happen
   in one of many tries.  */
#include "task/steal.h"
#include "expect.h"

enum { TRIES = 1000 };

static struct thread thief;

static void run_task(uint64_t ns, unsigned stolen)
{
  ghcomp_thief_judge(&thief, cycles_now() - cycles_in(ns), stolen);
}

static bool pauses_after_batches_of(uint64_t ns, unsigned stolen)
{
  thief.tasks.steal_pause = 0;
  for (unsigned i = 0; i < TRIES && thief.tasks.steal_pause == 0; i++)
    run_task(ns, stolen);
  return thief.tasks.steal_pause != 0;
}

static bool pauses_after_tasks_of(uint64_t ns)
{
  return pauses_after_batches_of(ns, 1);
}

/* `ns`: how long each steal takes.  */
static void steal_often(uint64_t ns)
{
  for (unsigned i = 0; i < TRIES; i++)
    ghcomp_thief_note_steal(&thief, cycles_now() - cycles_in(ns));
}

/* On the victim's processor steals seem to cost nothing.  */
static void cheap_steals(void)
{
  thief.tasks.steal_cost = 0;
  EXPECT(pauses_after_tasks_of(300));
  EXPECT(!pauses_after_tasks_of(10000));
}

static void dear_steals(void)
{
  steal_often(1000);
  EXPECT(pauses_after_tasks_of(3000));
  EXPECT(!pauses_after_batches_of(3000, 4));
  EXPECT(!pauses_after_tasks_of(100000));
}

static void interrupted_steals(void)
{
  steal_often(1000000000);
  EXPECT(thief.tasks.steal_cost <= cycles_in(LONGEST_STEAL_NS));
}

/* Pauses become longer, up to a limit, and long tasks end them.  */
static void length_of_pauses(void)
{
  EXPECT(pauses_after_tasks_of(300));
  for (unsigned i = 0; i < TRIES && thief.tasks.steal_pause != LONGEST_PAUSE_NS; i++)
    run_task(300, 1);
  EXPECT_NUMBER(thief.tasks.steal_pause, LONGEST_PAUSE_NS);
  for (unsigned i = 0; i < 3; i++)
    run_task(1000000, 1);
  EXPECT_NUMBER(thief.tasks.steal_pause, 0);
  EXPECT(!ghcomp_thief_pauses(&thief));
}

int main(void)
{
  cheap_steals();
  dear_steals();
  interrupted_steals();
  length_of_pauses();
  return expect_result();
}
