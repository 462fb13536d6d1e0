/* A filter refuses one system call, as those of containers and services do.  The program must have the same teams and results
   with each.  Where the filter ends the process, it must not do so at a call that only this runtime makes, and could do
   without.  (The RTS of newer GHCs asks libnuma, which complains.)
   each: OMP_PROC_BIND=false OMP_PROC_BIND=true
   stderr: ^(.?nable to determine max cpu .*\n)*$ */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MASTERS = 3, REGIONS = 50 };

static const struct {
  const char *name;
  long number;
} calls[] = {
#define CALL(name) {#name, SYS_##name}
    CALL(gettid),          CALL(sched_setaffinity), CALL(sched_getaffinity), CALL(sched_setattr),
    CALL(sched_getattr),   CALL(sched_yield),       CALL(getpid),            CALL(prctl),
    CALL(sysinfo),         CALL(clock_gettime),     CALL(getrusage),         CALL(madvise),
    CALL(membarrier),      CALL(prlimit64),         CALL(process_vm_readv),  CALL(getcpu),
    CALL(readlinkat),      CALL(mlock),             CALL(set_mempolicy),     CALL(rseq),
#ifdef SYS_readlink
    CALL(readlink),
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

/* ------------------------------------------------------------- under the filter */

static int team(int threads)
{
  int size = 0;
#pragma omp parallel num_threads(threads) reduction(+ : size)
  size++;
  return size;
}

static void *start_regions(void *sum)
{
  for (int i = 0; i < REGIONS; i++)
    *(int *)sum += team(2);
  return sum;
}

static int masters(void)
{
  pthread_t threads[MASTERS];
  int sums[MASTERS] = {0}, sum = 0;
  for (int i = 0; i < MASTERS; i++)
    pthread_create(&threads[i], NULL, start_regions, &sums[i]);
  for (int i = 0; i < MASTERS; i++) {
    pthread_join(threads[i], NULL);
    sum += sums[i];
  }
  return sum;
}

static int tasks(int depth)
{
  int a = 1, b = 1;
  if (depth != 0) {
#pragma omp task shared(a)
    a = tasks(depth - 1);
    b = tasks(depth - 1);
#pragma omp taskwait
  }
  return a + b;
}

/* Workers have names, whichever call gives them.  */
static int has_name(void)
{
  char name[16] = "";
  FILE *file = fopen("/proc/thread-self/comm", "r");
  if (file != NULL && fgets(name, sizeof name, file) == NULL)
    name[0] = '\0';
  if (file != NULL)
    fclose(file);
  return strncmp(name, "omp ", 4) == 0;
}

static int wrong(void)
{
  int usual = 0, inner = 0, sum = 0;
#pragma omp parallel reduction(+ : usual)
  usual++;
  if (usual != omp_get_max_threads() || team(4) != 4)
    return 2;
  int named = 0;
#pragma omp parallel num_threads(4) reduction(+ : named)
  named += has_name();
  if (named != 3)
    return 5;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : inner)
  inner += team(2);
  if (inner != 4 || masters() != 2 * MASTERS * REGIONS)
    return 3;
#pragma omp parallel num_threads(4)
#pragma omp single
  sum = tasks(8);
  return sum == 512 ? 0 : 4;
}

/* ---------------------------------------------------------------- one filter */

static void refuse(long number, unsigned what)
{
  struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                               BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1), BPF_STMT(BPF_RET | BPF_K, what),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0)
    _exit(77);
}

/* The whole process is under the filter, with the library's loading.  */
static int failed(char *program, unsigned call, unsigned what, const char *how)
{
  int status;
  pid_t child = fork();
  if (child == 0) {
    if (what == SECCOMP_RET_KILL_PROCESS && (calls[call].number == SYS_sched_yield || calls[call].number == SYS_clock_gettime)) {
      setenv("OMP_WAIT_POLICY", "passive", 1); /* with which they are not made */
      setenv("GHCOMP_TURNS", "off", 1);
    }
    refuse(calls[call].number, what);
    execv("/proc/self/exe", (char *[]){program, "under the filter", NULL});
    _exit(127);
  }
  if (waitpid(child, &status, 0) == child && status == 0)
    return 0;
  return printf("%s, %s: status %x\n", calls[call].name, how, status);
}

/* What libgomp's programs do not survive either.  */
static int must_have(unsigned call)
{
  const char *bind = getenv("OMP_PROC_BIND");
  long number = calls[call].number;
  return number == SYS_sched_getaffinity || number == SYS_prlimit64 || number == SYS_madvise || number == SYS_rseq ||
         (number == SYS_sched_setaffinity && bind != NULL && strcmp(bind, "true") == 0);
}

int main(int argc, char **argv)
{
  int bad = 0;
  if (argc > 1)
    return wrong();
  for (unsigned call = 0; call < CALLS; call++) {
    bad |= failed(argv[0], call, SECCOMP_RET_ERRNO | EPERM, "EPERM");
    bad |= failed(argv[0], call, SECCOMP_RET_ERRNO | ENOSYS, "ENOSYS");
    if (!must_have(call))
      bad |= failed(argv[0], call, SECCOMP_RET_KILL_PROCESS, "kill");
  }
  return bad != 0;
}
