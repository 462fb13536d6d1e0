/* storey: team */
/* When a worker that shares its master's processor moves.  The moves are counted, not made.  Who was last seen on a processor.  */
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
    ghcomp_team_publish_processor(team, 0, ghcomp_machine_here());
    ghcomp_team_publish_processor(team, 2, -1);
    store_relaxed(&workers[1].dock.seen_on, 0);
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

static bool master_sees_another(int processor)
{
  return ghcomp_team_crews.has_other_on(&team->crew, &master.waiter, processor);
}

/* In every group of a large team; only as long as it is in the team; and by its dock before its first region there.  */
static void others_are_seen(void)
{
  enum { HERE = 40, SOME = 20 };
  struct thread *others = calloc(SOME, sizeof *others);
  struct team *small = team;
  team = calloc(1, sizeof *team + SOME * sizeof team->members[0]);
  team->size = SOME;
  team->members[0].thread = &master;
  ghcomp_team_publish_processor(team, 0, HERE);
  for (unsigned i = 1; i < SOME; i++)
    team->members[i].thread = &others[i];
  EXPECT(!master_sees_another(HERE) && !master_sees_another(0) && !master_sees_another(-1));
  for (unsigned i = 1; i < SOME; i++) {
    store_relaxed(&others[i].dock.seen_on, HERE + 1);
    EXPECT(master_sees_another(HERE));
    ghcomp_team_publish_processor(team, i, HERE + 1);
    EXPECT(!master_sees_another(HERE));
    ghcomp_team_publish_processor(team, i, HERE);
    EXPECT(master_sees_another(HERE));
    EXPECT_NUMBER(ghcomp_team_count_on(team, NULL, HERE), 2);
    team->size = i;
    EXPECT(!master_sees_another(HERE));
    team->size = SOME;
    ghcomp_team_publish_processor(team, i, 0);
  }
  EXPECT_NUMBER(ghcomp_team_count_on(team, &master.waiter, 0), SOME - 1);
  free(team);
  free(others);
  team = small;
}

int main(void)
{
  team = calloc(1, sizeof *team + 9 * sizeof team->members[0]);
  team->size = 3;
  team->members[0].thread = &master;
  team->members[1].thread = &workers[0];
  team->members[2].thread = &workers[1];
  for (unsigned i = 0; i < 3; i++)
    team->members[i].team = team, team->members[i].number = i, team->members[i].thread->member = &team->members[i];
  workers[0].is_worker = true;
  ever_more_rarely();
  not_for_its_share();
  not_beside_other_masters();
  only_a_free_worker_of_a_small_team();
  others_are_seen();
  free(team);
  return expect_result();
}
