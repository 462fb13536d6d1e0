/* A program whose regions all have one thread loads no RTS and starts no thread.  */
#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
  int sum = 0, tasks = -2;
  char line[4096];
#pragma omp parallel num_threads(1) reduction(+ : sum)
  {
#pragma omp single
#pragma omp task shared(sum)
    sum++;
  }
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps) != NULL)
    if (strstr(line, "libHSrts") != NULL || strstr(line, "libOMrts") != NULL || strstr(line, "libghcomp_rts") != NULL)
      return 2;
  fclose(maps);
  DIR *dir = opendir("/proc/self/task");
  while (readdir(dir) != NULL)
    tasks++;
  closedir(dir);
  return tasks == 1 && sum == 1 ? 0 : 1;
}
