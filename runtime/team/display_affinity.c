/* One line per thread and change, in the affinity format.  */
#include "team/thread.h"

#include "base/memory.h"
#include "settings/env.h"

#include <stdio.h>

struct affinity_info ghcomp_affinity_info_of(const struct member *member)
{
  const struct team *team = member->team;
  return (struct affinity_info){
      .team_num = (int)team->team_num,
      .num_teams = (int)team->num_teams,
      .nesting_level = (int)team->level,
      .thread_num = (int)member->number,
      .num_threads = (int)team->size,
      .ancestor_tnum = team->parent != NULL ? (int)team->parent->number : -1,
  };
}

/* What would have to differ for the line to be told again.  */
static uint64_t summary(const struct member *member)
{
  uint64_t x = member->team->size;
  x = x * 1000003 + member->number;
  x = x * 1000003 + member->team->level;
  return x * 1000003 + member->place + 1;
}

void ghcomp_display_affinity(struct thread *self, const struct member *member)
{
  char line[2048];
  uint64_t now = summary(member);
  if (self->displayed == now)
    return;
  self->displayed = now;
  struct affinity_info info = ghcomp_affinity_info_of(member);
  char *format = ghcomp_affinity_var_copy();
  ghcomp_affinity_format(line, sizeof line, format, &info);
  ghcomp_memory_release(format);
  fprintf(stderr, "%s\n", line);
}
