/* The most memory that the process has used.  */
#ifndef PEAK_H
#define PEAK_H

#include <stdio.h>

/* In KiB.  Not from getrusage, whose value starts with that of the process which started this program.  */
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
