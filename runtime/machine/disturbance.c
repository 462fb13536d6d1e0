#include "machine/disturbance.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

int ghcomp_machine_hold_cancellation(void)
{
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  return before;
}

void ghcomp_machine_let_cancellation(int before)
{
  pthread_setcancelstate(before, NULL);
}

/* A blocked signal that an instruction raises ends the process; a filter of system calls may raise SIGSYS for each call.  */
static sigset_t all_but_own(void)
{
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  sigset_t set;
  sigfillset(&set);
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset(&set, own[i]);
  return set;
}

/* The C library's type has room for more signals than the system has.  */
struct held ghcomp_machine_hold(void)
{
  struct held before = {.cancellation = ghcomp_machine_hold_cancellation()};
  sigset_t all = all_but_own(), old;
  pthread_sigmask(SIG_SETMASK, &all, &old);
  memcpy(&before.signals, &old, sizeof before.signals);
  return before;
}

void ghcomp_machine_block_signals(uint64_t signals)
{
  sigset_t set;
  sigemptyset(&set);
  memcpy(&set, &signals, sizeof signals);
  pthread_sigmask(SIG_SETMASK, &set, NULL);
}

/* Handlers of signals that have come run now.  */
void ghcomp_machine_let(struct held before)
{
  ghcomp_machine_block_signals(before.signals);
  ghcomp_machine_let_cancellation(before.cancellation);
}
