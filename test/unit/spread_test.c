/* storey: team */
/* When a worker that shares its master's processor moves.  The moves are counted, not made.  */
#include "admission/turn.h"
#include "expect.h"
#include "team/team_wait.h"

#include <stdlib.h>

static bool crowded;
static unsigned left;

bool ghcomp_parking_is_crowded(void)
{
  return crowded;
}

unsigned ghcomp_machine_processors(void)
{
  return 2;
}

void ghcomp_machine_leave_processor(int processor)
{
  (void)processor;
  left++;
}

static struct thread master, workers[2];
static struct team *team;

/* So many suspicions of a worker that always finds its master on its processor.  Returns how often it has left.  */
static unsigned moves_after(unsigned suspicions)
{
  left = workers[0].spread.suspicions = workers[0].spread.too_many_in_a_row = 0;
  for (unsigned i = 0; i < suspicions; i++) {
    store_relaxed(&master.waiter.processor, ghcomp_machine_here());
    store_relaxed(&workers[1].waiter.processor, -1);
    ghcomp_spread_suspect(&workers[0], team);
  }
  return left;
}

static void ever_more_rarely(void)
{
  unsigned some = moves_after(1000), more = moves_after(100000);
  EXPECT(some > 3 && more > some);
  EXPECT(more < some + 10); /* once for each power of two */
}

/* With more threads than processors two of three are its share.  */
static void not_for_its_share(void)
{
  crowded = true;
  EXPECT_NUMBER(moves_after(1000), 0);
  crowded = false;
}

static void not_beside_other_masters(void)
{
  ghcomp_turn_count_masters(1);
  EXPECT(moves_after(1000) > 3);
  ghcomp_turn_count_masters(1);
  EXPECT_NUMBER(moves_after(1000), 0);
  ghcomp_turn_count_masters(-1);
  EXPECT(moves_after(1000) > 3);
  ghcomp_turn_count_masters(-1);
}

static void only_a_free_worker_of_a_small_team(void)
{
  workers[0].place_bound = 1;
  EXPECT_NUMBER(moves_after(1000), 0);
  workers[0].place_bound = 0;
  workers[0].is_worker = false;
  EXPECT_NUMBER(moves_after(1000), 0);
  workers[0].is_worker = true;
  team->size = 9;
  EXPECT_NUMBER(moves_after(1000), 0);
  team->size = 3;
  EXPECT(moves_after(1000) > 3);
}

int main(void)
{
  team = calloc(1, sizeof *team + 9 * sizeof team->members[0]);
  team->size = 3;
  team->members[0].thread = &master;
  team->members[1].thread = &workers[0];
  team->members[2].thread = &workers[1];
  workers[0].is_worker = true;
  ever_more_rarely();
  not_for_its_share();
  not_beside_other_masters();
  only_a_free_worker_of_a_small_team();
  free(team);
  return expect_result();
}
