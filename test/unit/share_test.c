/* storey: team */
/* How many threads a region has that may have fewer than it wants.  */
#include "expect.h"
#include "team/share.h"

#include <stdbool.h>

/* Haskell threads count as at most half of the processors.  */
static unsigned used(unsigned capacity, unsigned busy, unsigned running)
{
  return running + (busy > capacity / 2 ? capacity / 2 : busy);
}

static void check_share(unsigned wanted, unsigned capacity, unsigned busy, unsigned running)
{
  unsigned got = ghcomp_team_share(wanted, capacity, busy, running), taken = used(capacity, busy, running);
  EXPECT(got <= wanted && (got != 0 || wanted == 0));
  EXPECT(got <= 1 || got + taken <= capacity);                         /* no more than are free */
  EXPECT(got == wanted || got + taken >= capacity);                    /* all that are free */
  EXPECT(running != 0 || got == wanted || got >= (capacity + 1) / 2);  /* at least half for regions */
}

static void all_shares(void)
{
  static const unsigned wanted[] = {0, 1, 2, 3, 7, 8, 9, 1000, ~0u};
  for (unsigned w = 0; w < sizeof wanted / sizeof wanted[0]; w++)
    for (unsigned capacity = 1; capacity <= 9; capacity++)
      for (unsigned busy = 0; busy <= 12; busy++)
        for (unsigned running = 0; running <= 20; running++)
          check_share(wanted[w], capacity, busy, running);
}

static void some_shares(void)
{
  EXPECT_NUMBER(ghcomp_team_share(8, 8, 0, 0), 8);
  EXPECT_NUMBER(ghcomp_team_share(8, 8, 3, 0), 5);
  EXPECT_NUMBER(ghcomp_team_share(8, 8, 7, 0), 4); /* more than half are busy */
  EXPECT_NUMBER(ghcomp_team_share(7, 7, 7, 0), 4); /* half of an odd number: the larger half for regions */
  EXPECT_NUMBER(ghcomp_team_share(1, 1, 1, 0), 1);
  EXPECT_NUMBER(ghcomp_team_share(8, 8, 7, 3), 1);
  EXPECT_NUMBER(ghcomp_team_share(8, 8, 0, 8), 1);
  EXPECT_NUMBER(ghcomp_team_share(8, 8, 0, 20), 1); /* more run than there are processors */
  EXPECT_NUMBER(ghcomp_team_share(0, 8, 0, 0), 0);
}

int main(void)
{
  all_shares();
  some_shares();
  return expect_result();
}
