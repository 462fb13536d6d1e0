/* A team that a test makes by hand.  Its members have descriptors, but no OS threads: the test
   drives them in any order, or with threads of its own.  */
#ifndef GHCOMP_TEST_MADE_TEAM_H
#define GHCOMP_TEST_MADE_TEAM_H

#include "state/thread.h"
#include "work/slots.h"

#include <stdlib.h>
#include <string.h>

static inline struct team *make_team(unsigned size)
{
  size_t bytes = sizeof(struct team) + size * sizeof(struct member);
  struct team *team = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset((void *)team, 0, bytes);
  team->size = team->capacity = size;
  struct thread *threads = aligned_alloc(64, size * sizeof *threads);
  memset((void *)threads, 0, size * sizeof *threads);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < size; i++) {
    team->members[i].team = team;
    team->members[i].number = i;
    team->members[i].thread = &threads[i];
    team->members[i].work.next_slot = team->first_slot;
  }
  return team;
}

static inline void free_team(struct team *team)
{
  ghcomp_slots_reset(team);
  free(team->members[0].thread);
  free(team->slots.oldest);
  free(load_relaxed(&team->slots.spare));
  free(team);
}

#endif
