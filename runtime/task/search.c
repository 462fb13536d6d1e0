#include "task/search.h"

#include "task/steal.h"

static struct search_group *group_of(struct member *member, const struct team *team)
{
  unsigned width = SMALLEST_GROUP;
  while (team->size > width * MOST_SEARCHERS)
    width *= 2;
  return &(member - member->number % width)->group.search;
}

bool ghcomp_search_is_mine(struct thread *self, const struct team *team)
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
  struct search_group *group = group_of(self->member, team);
  uint32_t changes = load_relaxed(&group->changes);
  if (changes % 2 != 0 || !cas_relaxed(&group->changes, &changes, changes + 1))
    return false;
  self->tasks.searches_for = group;
  self->tasks.tells_others = true;
  self->member->tasks.victim = load_relaxed(&group->victim);
  return true;
}

bool ghcomp_search_goes_on_in_group(struct thread *self, const struct team *team)
{
  if (load_relaxed(&team->ready_hint) == 0 || self->tasks.searches_for != NULL || ghcomp_thief_pauses(self))
    return false;
  uint32_t changes = load_relaxed(&group_of(self->member, team)->changes);
  self->tasks.looks_itself = changes == self->tasks.changes_seen;
  self->tasks.changes_seen = changes;
  return true;
}
