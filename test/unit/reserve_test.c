/* storey: task */
/* Idle members of a large team get each task of a recursion whose creator would keep few for itself: it executes none at once while
   thieves take all that it leaves.  Its looks at its own deque are rare, so it learns of them late.  */
#include "base/memory.h"
#include "task/search.h"
#include "task/steal.h"
#include "task/task.h"
#include "expect.h"

enum { SIZE = 64, LEVELS = 7, ROUNDS = 1000 };

static struct task parent, child;
static struct team *team;
static struct member *member;

static void make(void)
{
  team = ghcomp_memory_try_lines(sizeof *team + SIZE * sizeof *member);
  team->size = team->capacity = SIZE;
  ghcomp_search_shape(team);
  member = &team->members[16];
  member->team = team;
  member->task = &parent;
  ghcomp_reserve_begin(member, SIZE);
}

static void thieves_take_all(void)
{
  while (ghcomp_deque_steal(&member->deque, NULL, NULL) != NULL)
    ;
}

/* A push looks at a full array, so it is a large one.  */
static void make_room(void)
{
  for (unsigned i = 0; i < 4 * SIZE; i++)
    ghcomp_deque_push(&member->deque, &child);
  thieves_take_all();
  ghcomp_deque_look(&member->deque);
}

/* True: its creator is to execute it at once.  As GOMP_task does.  */
static bool create(void)
{
  if (ghcomp_reserve_is_full(member) || ghcomp_task_is_due(member, false, 0))
    return true;
  ghcomp_reserve_adjust(member);
  ghcomp_deque_push(&member->deque, &child);
  return false;
}

static unsigned at_once(unsigned tasks)
{
  unsigned n = 0;
  for (unsigned i = 0; i < tasks; i++)
    n += create();
  return n;
}

/* What the owner takes itself hides what thieves have taken: the deque seems to be as long as before.  */
static void thieves_are_hungry(void)
{
  unsigned n = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    unsigned tasks = LEVELS + round % 5;
    n += at_once(tasks);
    for (unsigned i = 0; i < tasks - 1; i++)
      ghcomp_deque_take(&member->deque, NULL, NULL);
    thieves_take_all();
  }
  EXPECT_NUMBER(n, 0);
}

/* Without thieves the reserve is the usual one, and nearly all tasks are executed at once.  */
static void nobody_comes(void)
{
  thieves_take_all();
  unsigned deferred = ROUNDS - at_once(ROUNDS);
  EXPECT(deferred <= 2 * SIZE);
  EXPECT_NUMBER(at_once(ROUNDS), ROUNDS);
  thieves_take_all();
  EXPECT_NUMBER(at_once(LEVELS), 0);
}

int main(void)
{
  make();
  make_room();
  thieves_are_hungry();
  nobody_comes();
  return expect_result();
}
