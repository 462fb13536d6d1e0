/* storey: team */
/* How often a master looks after its regions whether the RTS waits for a processor, and when it yields.  The RTS, the yields
   and what the process computes meanwhile are simulated.  */
#include "team/fork.h"

#include "base/cycles.h"
#include "expect.h"
#include "threads/substrate.h"

static bool waits;
static unsigned looks, capabilities = 1;
static struct thread master;

bool ghcomp_substrate_host_waits(void)
{
  looks++;
  return waits;
}

unsigned ghcomp_substrate_host_capabilities(void)
{
  return capabilities;
}

static uint64_t yield_ns, computes_ns, computed_ns = 1;

int sched_yield(void)
{
  uint64_t began = cycles_now();
  while (cycles_now() - began < cycles_in(yield_ns))
    ;
  computed_ns += computes_ns;
  return 0;
}

uint64_t ghcomp_machine_process_computed(void)
{
  return computed_ns;
}

static uint64_t yields(void)
{
  return load_relaxed(&master.waiter.counters.count[STAT_ROOM_MADE]);
}

/* Regions end all the time, until there have been so many looks; at most for ten seconds.  Returns for how many microseconds
   they did.  */
static uint64_t end_regions(unsigned until)
{
  uint64_t began = cycles_now(), now;
  do {
    ghcomp_make_room_for_haskell(&master);
    now = cycles_now();
  } while (looks < until && now < began + 10 * cycles_in(1000000000));
  return cycles_to_ns(now - began) / 1000;
}

/* Begins with a look.  */
static void begin_anew(unsigned capabilities_now, bool waits_now)
{
  capabilities = 1;
  waits = false;
  looks = 0;
  end_regions(1);
  for (uint64_t due = cycles_now() + cycles_in(20000); cycles_now() < due;)
    ;
  capabilities = capabilities_now;
  waits = waits_now;
  looks = 0;
}

static void looks_every(uint64_t us, unsigned capabilities_now)
{
  begin_anew(capabilities_now, false);
  EXPECT(end_regions(5) >= 4 * us);
  EXPECT_NUMBER(looks, 5);
  EXPECT_NUMBER(yields(), 0);
}

static void yields_sometimes(void)
{
  begin_anew(1, true);
  EXPECT(end_regions(5) >= 4 * 300);
  EXPECT_NUMBER(looks, 5);
  EXPECT_NUMBER(yields(), 5);
}

/* Each yield lasts 600 us, and the process computes for so long.  Returns for how many times as long five yields took.  */
static uint64_t long_yields(uint64_t computes_us)
{
  begin_anew(1, true);
  yield_ns = 600000;
  computes_ns = 1000 * computes_us;
  uint64_t us = end_regions(5);
  EXPECT_NUMBER(looks, 5);
  yield_ns = computes_ns = 0;
  return us / 600;
}

enum { EVER_LONGER = 5 + 2 + 4 + 8 + 16 };

/* Yields that went to others put the next one off.  After one that did not, the first pause is short again: otherwise it would
   be as long as all of these at once.  The test may itself lose its processor, so it needs to see that only once.  */
static void others_get_them(void)
{
  bool short_again = false;
  for (int attempt = 0; attempt < 5 && !short_again; attempt++) {
    EXPECT(long_yields(600000) >= 5);
    uint64_t times = long_yields(300);
    EXPECT(times >= EVER_LONGER);
    EXPECT(long_yields(600000) >= 5);
    short_again = long_yields(300) < 5 * EVER_LONGER;
  }
  EXPECT(short_again);
}

int main(void)
{
  looks_every(10, 1);
  looks_every(500, 50);
  yields_sometimes();
  others_get_them();
  return expect_result();
}
