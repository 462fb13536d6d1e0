/* What omp_display_affinity prints.  Spec: 5.2, 21.2.6.  */
#ifndef GHCOMP_CORE_AFFINITY_FORMAT_H
#define GHCOMP_CORE_AFFINITY_FORMAT_H

#include <stddef.h>

/* The fields that the calling thread's context gives.  */
struct affinity_info {
  int team_num, num_teams, nesting_level, thread_num, num_threads, ancestor_tnum;
};

/* Expands the format for the calling thread; returns the length that the
   whole text has, as snprintf does.  */
size_t ghcomp_affinity_format(char *buffer, size_t size, const char *format,
                              const struct affinity_info *info);

#endif
