/* A server whose threads act for different users, as file servers do: the system calls setresuid and setfsuid change one thread.
   Each thread starts regions whose members make files, and all files belong to its user.  Threads come one after the other,
   and at the same time.  Where an idle worker of one thread served another one, a quarter of the files belonged to the wrong
   user.  Only root can act for others; without it nothing is tested.  */
#include "masters.h"

#include <omp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { USERS = 8, REGIONS = 20, FIRST_USER = 12340 };

static int wrong;

/* The owner of a file that the calling thread makes.  It is in memory, so that no folder has to let all users in.  */
static long owner_of_new_file(void)
{
  struct stat status = {0};
  int file = (int)syscall(SYS_memfd_create, "own_teams_users", 0);
  int failed = file < 0 || fstat(file, &status) != 0;
  if (file >= 0)
    close(file);
  return failed ? -1 : (long)status.st_uid;
}

static void *serve(void *number)
{
  long user = FIRST_USER + (long)number;
  if ((long)number % 2 == 0)
    syscall(SYS_setresuid, -1, user, -1); /* glibc's function would change all threads */
  else
    syscall(SYS_setfsuid, user);
  for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(2)
    {
      long owner = owner_of_new_file();
      if (owner != user && !__atomic_exchange_n(&wrong, 1, __ATOMIC_RELAXED))
        printf("thread %d of user %ld made a file of user %ld\n", omp_get_thread_num(), user, owner);
    }
  }
  return number;
}

int main(void)
{
  if (geteuid() != 0) {
    printf("not root: nothing is tested\n");
    return 0;
  }
  for (long number = 0; number < USERS; number++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, (void *)number) != 0)
      return 2;
    pthread_join(thread, NULL);
  }
  run_masters(USERS, serve);
  return wrong;
}
