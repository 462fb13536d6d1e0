/* The thread that watches Haskell loops is about to sleep, while another one wakes it if it must.  */
#ifndef WEAK_HASKELL_WATCH_H
#define WEAK_HASKELL_WATCH_H

HsBool ghcomp_watch_again(struct loop_worker *);
int ghcomp_watch_wake(void);
HsBool ghcomp_watch_will_sleep(void);

unsigned weak_threads = 2;
static bool sleeps, woken;

static void watcher_sleeps(void)
{
  sleeps = ghcomp_watch_will_sleep();
}

enum { AWAKE_ALREADY = 2 };

static void wake_if(bool lacks)
{
  if (lacks)
    woken = ghcomp_watch_wake() != AWAKE_ALREADY;
}

void weak_end(void)
{
  weak_assert(!sleeps || woken);
}

#endif
