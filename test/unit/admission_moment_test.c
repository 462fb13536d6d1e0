/* storey: admission */
/* Turns: a region that may be smaller waits until Haskell threads stop that compute for a moment only.  */
#include "admission_masters.h"

static unsigned yields;
static bool stop_at_yield;

int sched_yield(void)
{
  yields++;
  if (stop_at_yield)
    store_relaxed(&busy, 0);
  return 0;
}

static uint32_t took_us;

static unsigned region(bool exact)
{
  masters[0].turn.region_took = (uint32_t)cycles_in(1000 * took_us); /* as if it were always so long */
  unsigned threads = enter(0, 4, exact);
  leave(0, threads);
  return threads;
}

/* The OS thread of that Haskell thread was behind the master.  */
static void it_needs_this_processor(void)
{
  store_relaxed(&busy, 1);
  stop_at_yield = true;
  EXPECT_NUMBER(region(false), 4);
  EXPECT_NUMBER(yields, 1);
  EXPECT_NUMBER(load_relaxed(&busy), 0);
  stop_at_yield = false;
}

/* Only the first region of several waits, until none computes.  */
static void they_go_on(void)
{
  yields = 0;
  for (int again = 0; again < 2; again++) {
    store_relaxed(&busy, 1);
    uint64_t began = cycles_now();
    EXPECT_NUMBER(region(false), 3);
    EXPECT(cycles_now() - began >= cycles_in(20000));
    for (int i = 0; i < 10; i++)
      EXPECT_NUMBER(region(false), 3);
    EXPECT_NUMBER(yields, again + 1);
    store_relaxed(&busy, 0);
    EXPECT_NUMBER(region(false), 4);
  }
}

static void an_exact_size_does_not_matter(void)
{
  yields = 0;
  store_relaxed(&busy, 1);
  EXPECT_NUMBER(region(true), 4);
  EXPECT_NUMBER(yields, 0);
  store_relaxed(&busy, 0);
}

static void short_regions_do_not_wait(void)
{
  yields = 0;
  took_us = 90;
  store_relaxed(&busy, 1);
  EXPECT_NUMBER(region(false), 3);
  EXPECT_NUMBER(yields, 0);
  took_us = 110;
  EXPECT_NUMBER(region(false), 3);
  EXPECT_NUMBER(yields, 1);
  store_relaxed(&busy, 0);
  EXPECT_NUMBER(region(false), 4);
  took_us = 0;
}

int main(void)
{
  set_up_masters();
  it_needs_this_processor();
  short_regions_do_not_wait();
  they_go_on();
  an_exact_size_does_not_matter();
  return expect_result();
}
