/* What the process has taken at the most.  */
#ifndef PEAK_H
#define PEAK_H

#include <stdio.h>

/* In KiB. Not what getrusage says: that is as much as the process had that started this program.  */
static long peak_kib(void)
{
  char line[128];
  long peak = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    sscanf(line, "VmHWM: %ld", &peak);
  if (file != NULL)
    fclose(file);
  return peak;
}

#endif
