/* A process that may have just as many threads as its team needs has them all, also beside GHC's runtime system, which starts as
   usual.  Each size is tried in a process of its own, as a user whom the limit concerns.  */
#include <omp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(int threads)
{
  int size = 0;
#pragma omp parallel num_threads(threads) reduction(+ : size)
  size++;
  return size;
}

static void as_limited_user(rlim_t threads)
{
  uid_t nobody_else = 100000 + (uid_t)getpid();
  if (setuid(nobody_else) != 0 || setrlimit(RLIMIT_NPROC, &(struct rlimit){threads, threads}) != 0)
    _exit(77);
  for (int i = 0; i < 3; i++)
    if (region((int)threads) != (int)threads)
      _exit(1);
  _exit(0);
}

int main(void)
{
  int processors = omp_get_num_procs(), sizes[] = {2, processors, processors + 1, processors + 20};
  for (int i = 0; i < 4; i++) {
    int status;
    pid_t child = fork();
    if (child == 0)
      as_limited_user((rlim_t)sizes[i]);
    if (waitpid(child, &status, 0) != child || status != 0)
      return printf("team of %d: status %d\n", sizes[i], status), 1;
  }
  return 0;
}
