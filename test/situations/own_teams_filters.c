/* Threads of which some have a filter of their own that refuses a system call (getppid), and then start regions.  The body of a
   region is refused it on all threads of the team or on none, as its master is, whoever started a region before.  Where an
   idle worker of one master served another one, half of a restricted thread's body ran without the filter.  */
#include "masters.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MASTERS = 8, REGIONS = 20 };

static pthread_barrier_t turn;
static int wrong;

/* 0: the system refuses filters.  */
static int restrict_self(void)
{
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

static int is_refused(void)
{
  return syscall(SYS_getppid) < 0;
}

/* Every other master is restricted.  */
static void *start_regions(void *number)
{
  int refused = (long)number % 2 != 0 && restrict_self(), others = 0;
  for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(2) reduction(+ : others)
    others += is_refused() != refused;
  }
  if (others != 0 && !__atomic_exchange_n(&wrong, 1, __ATOMIC_RELAXED))
    printf("refused on the master: %d, and not so on other threads in %d regions\n", refused, others);
  return number;
}

/* As above, and then lives on without regions.  */
static void *start_and_stay(void *number)
{
  start_regions(number);
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  return number;
}

static void two_masters(long first)
{
  pthread_t one, other;
  if (pthread_create(&one, NULL, start_and_stay, (void *)first) != 0)
    exit(2);
  pthread_barrier_wait(&turn);
  if (pthread_create(&other, NULL, start_regions, (void *)(first + 1)) != 0)
    exit(2);
  pthread_join(other, NULL);
  pthread_barrier_wait(&turn);
  pthread_join(one, NULL);
}

int main(void)
{
  pthread_barrier_init(&turn, NULL, 2);
  two_masters(0);
  two_masters(1);
  run_masters(MASTERS, start_regions);
  return wrong;
}
