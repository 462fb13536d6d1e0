/* Hands out sections, in the order of the program, from a counter in the construct's slot.

   In a large team most members get none, because there are fewer sections than members.  If each added to the counter, its line
   would go to all of them, one after the other.  So who draws the last section says so on some lines of the block, which groups
   of members share out among themselves for reading.  A member whose number is below that of the sections draws at once, and
   so does one that has executed a section.  The others look first, each as often as there are members with lower numbers: these
   draw before it, and a draw takes less time than a look and the pause after it.  If a member is late, its section is drawn by
   the next one that comes, or that has looked for long enough.  So a section waits for nobody; and those that have looked in vain
   do not come to the counter all at once.

   Invariant: the marks are set only after all sections have been drawn, and only hide a draw that would find none.  Orders are
   relaxed, because a section's number says nothing about other memory.  Models: test/weak/models/sections.c, sections_again.c.  */
#include "work/schedule.h"

#include "state/thread.h"
#include "wait/line_cost.h"
#include "work/slots.h"

/* For up to so many members the counter's transfers take no longer than those of the lines that would spare them
   (simulated).  */
enum { FEW_MEMBERS = 8 };

static void tell_that_none_is_left(const struct member *member)
{
  ghcomp_slots_use_marks(member);
  for (unsigned i = 0; i < MARK_LINES; i++)
    store_relaxed(ghcomp_slots_mark(member, i), true);
}

/* The section that a member executes is its current chunk.  */
static unsigned looks_of(const struct member *member)
{
  const struct loop *loop = &member->work.loop;
  return member->number < loop->sections || loop->chunk_end != 0 ? 1 : 1 + member->number;
}

static __attribute__((noinline)) bool sees_none_left(const struct member *member)
{
  const _Atomic bool *none = ghcomp_slots_mark(member, member->number / MEMBER_GROUP % MARK_LINES);
  for (unsigned looks = looks_of(member);;) {
    if (load_relaxed(none))
      return true;
    if (--looks == 0)
      return false;
    for (unsigned i = ghcomp_look_pauses(&member->thread->waiter); i != 0; i--)
      cpu_relax();
  }
}

static void note_draw(struct member *member, uint64_t section)
{
  member->work.loop.chunk_end = section + 1;
  if (section + 1 == member->work.loop.sections)
    tell_that_none_is_left(member);
}

unsigned ghcomp_sections_next(struct member *member)
{
  const struct loop *loop = &member->work.loop;
  bool many = member->team->size > FEW_MEMBERS;
  if (unlikely(many) && sees_none_left(member))
    return 0;
  uint64_t section = add_relaxed(&loop->slot->handed_out, 1);
  if (unlikely(many))
    note_draw(member, section);
  return section < loop->sections ? (unsigned)section + 1 : 0;
}
