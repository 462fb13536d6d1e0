#include "task/search.h"

#include "task/steal.h"

static void divide(struct team *team, enum gathering waits_for, unsigned most_searchers)
{
  unsigned width = SMALLEST_GROUP;
  while (team->size > width * most_searchers)
    width *= 2;
  bool all_search = team->size <= ALL_SEARCH;
  for (unsigned i = 0; i < team->size; i++)
    team->members[i].search_group[waits_for] = all_search ? NULL : &team->members[i - i % width].group.search;
}

void ghcomp_search_shape(struct team *team)
{
  divide(team, GATHER_BARRIER, MOST_SEARCHERS);
  divide(team, GATHER_JOIN, MOST_SEARCHERS_AT_JOIN);
}

bool ghcomp_search_is_mine(struct thread *self, struct search_group *group)
{
  if (ghcomp_thief_pauses(self)) {
    ghcomp_search_end(self);
    return false;
  }
  if (self->tasks.searches_for != NULL)
    return true;
  if (self->tasks.looks_itself) {
    self->tasks.looks_itself = false;
    return true;
  }
  uint32_t changes = load_relaxed(&group->changes);
  if (changes % 2 != 0 || !cas_relaxed(&group->changes, &changes, changes + 1))
    return false;
  self->tasks.searches_for = group;
  self->tasks.tells_others = true;
  self->tasks.victim = load_relaxed(&group->victim);
  return true;
}

bool ghcomp_search_goes_on_in_group(struct thread *self, struct search_group *group, const struct team *team)
{
  if (load_relaxed(&team->ready_hint) == 0 || self->tasks.searches_for != NULL || ghcomp_thief_pauses(self))
    return false;
  uint32_t changes = load_relaxed(&group->changes);
  self->tasks.looks_itself = changes == self->tasks.changes_seen;
  self->tasks.changes_seen = changes;
  return true;
}
