/* A C program cannot see that an RTS runs in it: the same descriptors, signal handlers, locale and
   environment, stacks that are not executable, and soon no more threads than the team.
   env: OMP_NUM_THREADS=2 GHCRTS=-Z OMP_PROC_BIND=false */
#include <dirent.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int entries(const char *folder)
{
  int count = 0;
  DIR *dir = opendir(folder);
  while (readdir(dir) != NULL)
    count++;
  closedir(dir);
  return count;
}

static int executable_stacks(void)
{
  char line[512];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (fgets(line, sizeof line, maps) != NULL)
    count += strstr(line, " rwxp ") != NULL;
  fclose(maps);
  return count;
}

static struct sigaction before[65];

int main(void)
{
  int sum = 0, changed = 0;
  int descriptors = entries("/proc/self/fd");
  for (int s = 1; s < 65; s++)
    sigaction(s, NULL, &before[s]);
#pragma omp parallel reduction(+ : sum)
  sum++;
  for (int s = 1; s < 65; s++) {
    struct sigaction now;
    if (sigaction(s, NULL, &now) == 0)
      changed += now.sa_handler != before[s].sa_handler;
  }
  if (entries("/proc/self/fd") != descriptors)
    return 2;
  if (changed != 0)
    return 3;
  if (strcmp(setlocale(LC_ALL, NULL), "C") != 0)
    return 4;
  while (entries("/proc/self/task") > 2 + 2) /* ".", "..", main, the worker */
    sched_yield();
  if (executable_stacks() != 0)
    return 6;
  return sum == 2 ? 0 : 7;
}
