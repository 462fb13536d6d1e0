/* A counter of the runtime that serves this program, by its name; -1: another runtime serves it, or it has no such counter.  */
#ifndef SITUATIONS_COUNTER_H
#define SITUATIONS_COUNTER_H

#include <dlfcn.h>
#include <string.h>

static long counter(const char *name)
{
  unsigned (*count)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "ghcomp_stats_count");
  const char *(*name_of)(unsigned) = (const char *(*)(unsigned))dlsym(RTLD_DEFAULT, "ghcomp_stats_name");
  unsigned long long (*value)(unsigned) = (unsigned long long (*)(unsigned))dlsym(RTLD_DEFAULT, "ghcomp_stats_value");
  for (unsigned i = 0; count != NULL && i < count(); i++)
    if (strcmp(name_of(i), name) == 0)
      return (long)value(i);
  return -1;
}

#endif
