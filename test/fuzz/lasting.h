/* Attributes that a thread of a team gives itself in one region, and has in the next one.  */
#include <fenv.h>

enum { ROUNDS_UP = 1, BLOCKS_A_SIGNAL = 2, IS_PINNED = 4 };

struct lasting {
  long value;
  pthread_t thread;
  int attributes;
  int rounding;
  sigset_t signals;
  cpu_set_t processors, pin;
};

static long lasting_value;
#pragma omp threadprivate(lasting_value)

/* A runtime that binds threads may move them between regions.  */
static int pin(struct lasting *l)
{
  if (omp_get_proc_bind() != omp_proc_bind_false || sched_getaffinity(0, sizeof l->processors, &l->processors) != 0)
    return 0;
  CPU_ZERO(&l->pin);
  CPU_SET(sched_getcpu(), &l->pin);
  return sched_setaffinity(0, sizeof l->pin, &l->pin) == 0;
}

static __attribute__((unused)) void begin_lasting(struct lasting *l, long value, int attributes, int me)
{
  sigset_t urgent;
  l->value = lasting_value = value;
  l->thread = pthread_self();
  /* Not the master, whose workers would inherit them, and not every thread all.  */
  l->attributes = me == 0 ? 0 : attributes & (me | 4);
  if (l->attributes & ROUNDS_UP) {
    l->rounding = fegetround();
    fesetround(FE_UPWARD);
  }
  if (l->attributes & BLOCKS_A_SIGNAL) {
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    pthread_sigmask(SIG_BLOCK, &urgent, &l->signals);
  }
  if ((l->attributes & IS_PINNED) && !pin(l))
    l->attributes &= ~IS_PINNED;
}

static int rounds_up(void)
{
  volatile double one = 1, tiny = 1e-30;
  return fegetround() == FE_UPWARD && one + tiny > 1;
}

static __attribute__((unused)) void check_lasting(const struct lasting *l)
{
  sigset_t now;
  cpu_set_t processors;
  /* There may have been another region between the two.  And where threads are bound, libgomp's do not always last.  */
  if (regions_in_handlers || omp_get_proc_bind() != omp_proc_bind_false)
    return;
  same("threadprivate value", lasting_value, l->value);
  same("the same thread", pthread_equal(pthread_self(), l->thread) != 0, 1);
  if (l->attributes & ROUNDS_UP)
    same("rounding mode", rounds_up(), 1);
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  if (l->attributes & BLOCKS_A_SIGNAL)
    same("blocked signal", sigismember(&now, SIGURG), 1);
  if (l->attributes & IS_PINNED)
    same("pin", sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_EQUAL(&processors, &l->pin), 1);
}

static __attribute__((unused)) void end_lasting(const struct lasting *l)
{
  if (l->attributes & ROUNDS_UP)
    fesetround(l->rounding);
  if (l->attributes & BLOCKS_A_SIGNAL)
    pthread_sigmask(SIG_SETMASK, &l->signals, NULL);
  if (l->attributes & IS_PINNED)
    sched_setaffinity(0, sizeof l->processors, &l->processors);
}
