/* A C library with OpenMP, as a Haskell program would use it.  */
#include "../counter.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* Threads of a region; 0 asks for the default team.  */
int work_team(int threads)
{
  int count = 0;
  if (threads == 0) {
#pragma omp parallel reduction(+ : count)
    count += 1;
  } else {
#pragma omp parallel num_threads(threads) reduction(+ : count)
    count += 1;
  }
  return count;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int inside, released;

static void set(int *flag)
{
  pthread_mutex_lock(&lock);
  *flag = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void wait_for(int *flag)
{
  pthread_mutex_lock(&lock);
  while (!*flag)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

/* Keeps the pool's workers busy until it is released.  */
static void *keep_workers(void *nothing)
{
#pragma omp parallel
  {
#pragma omp single nowait
    set(&inside);
    wait_for(&released);
  }
  return nothing;
}

/* 1 if a region has as many threads as its thread was told before, although the workers are busy
   elsewhere.  A library such as OpenBLAS makes that many parts, which wait for each other.  */
int work_is_as_told(void)
{
  pthread_t keeper;
  if (pthread_create(&keeper, NULL, keep_workers, NULL) != 0)
    return 0;
  wait_for(&inside);
  int told = omp_get_max_threads(), count = work_team(0);
  set(&released);
  pthread_join(keeper, NULL);
  return count == told;
}

static const char *ask(const char *name)
{
  const char *(*function)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, name);
  return function != NULL ? function() : "libgomp";
}

const char *work_substrate(void)
{
  return ask("ghcomp_substrate_name");
}

const char *work_describe(void)
{
  return ask("ghcomp_substrate_describe");
}

/* Threads of a default region whose master calls the function.  */
int work_team_calling(void (*inside)(void))
{
  int count = 0;
#pragma omp parallel reduction(+ : count)
  {
    count += 1;
    if (omp_get_thread_num() == 0)
      inside();
  }
  return count;
}

/* How often the runtime has made room for the RTS.  */
long work_room_made(void)
{
  return counter("room_made");
}

/* 1 if the library with an RTS for C programs is loaded in this process.  */
int work_has_second_rts(void)
{
  char line[4096];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
    found |= strstr(line, "libghcomp_rts") != NULL;
  if (maps != NULL)
    fclose(maps);
  return found;
}

/* How many threads of a team of that size have a worker's name.  The caller, a thread of Haskell's
   runtime system or of the program, must have none.  */
int work_named_workers(int threads)
{
  int count = 0;
#pragma omp parallel num_threads(threads) reduction(+ : count)
  {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    count += strncmp(name, "omp ", 4) == 0;
  }
  return count;
}

/* The size of a region's team in a forked child.  */
int work_team_in_child(int threads)
{
  int status = -1;
  pid_t child = fork();
  if (child == 0)
    _exit(work_team(threads));
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#ifdef EARLY
/* A region before main, when no RTS runs yet.  */
__attribute__((constructor)) static void early(void)
{
  if (work_team(2) != 2)
    _exit(99);
}
#endif
