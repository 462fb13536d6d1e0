/* A C library with OpenMP in it, as a Haskell program would use one.  */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
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

/* 1 when the library with an RTS for C programs is in this process.  */
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

/* The team of a region in a forked child.  */
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
