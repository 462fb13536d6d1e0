/* The affinity format: text with fields %[0][.][width]letter or
   %[0][.][width]{name}, and %% for a percent sign.  Spec: 5.2, 4.7 (the fields)
   and 21.2.6; the text of a field is as libgomp's.  */
#ifndef GHCOMP_PLACES_AFFINITY_FORMAT_H
#define GHCOMP_PLACES_AFFINITY_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* The fields that the calling thread's context gives.  The others (process,
   host, native thread, processors) are the calling thread's.  */
struct affinity_info {
  int team_num, num_teams, nesting_level, thread_num, num_threads, ancestor_tnum;
};

/* Are all fields of the format known?  */
bool ghcomp_affinity_format_valid(const char *format);

/* Expands the format for the calling thread into buffer (NUL-terminated where
   size is not 0); returns the length that the whole text has, as snprintf does.
   What is not a field after a percent sign stands in the text as it is; the
   first such format of the process gets a message.  */
size_t ghcomp_affinity_format(char *buffer, size_t size, const char *format,
                              const struct affinity_info *info);

#endif
