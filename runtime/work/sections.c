/* Hands out sections, in the order of the program, from a counter in the construct's slot.

   In a large team most members get none, because there are fewer sections than members.  If each added to the counter, its line
   would go to all of them, one after the other.  So who draws the last section says so on some lines of the block, which the
   members share out among themselves for reading.  A member whose number is below that of the sections draws at once.  The
   others look some times first, so that the counter's line is near for these.  If a member is late, its section is
   drawn by the next one that comes, or that has looked for long enough.  So a section waits for nobody.

   Invariant: `none_left` is set only after all sections have been drawn, and only hides a draw that would find none.  Orders are
   relaxed, because a section's number says nothing about other memory.  Models: test/weak/models/sections.c, sections_again.c.  */
#include "work/schedule.h"

#include "state/thread.h"
#include "wait/line_cost.h"
#include "work/slots.h"

/* For up to so many members the counter's transfers take no longer than those of the lines that would spare them
   (simulated).  */
enum { FEW_MEMBERS = 8 };

/* Looks of a member that as a rule gets no section: after these it draws.  Between two it pauses for twice the time of a
   transfer, so all together take about as long as a large team needs to come from a barrier.  Half as many are too few for 128
   threads, and twice as many gain nothing (simulated).  */
enum { LOOKS = 8 };

static _Atomic bool *none_left(const struct member *member, unsigned line)
{
  return &member->work.next_slot.block->none_left[line].in_slot[member->work.next_slot.index - 1];
}

static void tell_that_none_is_left(const struct member *member)
{
  struct slot_block *block = member->work.next_slot.block;
  if (!load_relaxed(&block->none_left_used))
    store_relaxed(&block->none_left_used, true);
  for (unsigned i = 0; i < NONE_LEFT_LINES; i++)
    store_relaxed(none_left(member, i), true);
}

static __attribute__((noinline)) bool sees_none_left(const struct member *member)
{
  const _Atomic bool *none = none_left(member, member->number % NONE_LEFT_LINES);
  unsigned looks = member->number < member->work.loop.sections ? 1 : LOOKS;
  for (;;) {
    if (load_relaxed(none))
      return true;
    if (--looks == 0)
      return false;
    for (unsigned i = ghcomp_look_pauses(&member->thread->waiter); i != 0; i--)
      cpu_relax();
  }
}

unsigned ghcomp_sections_next(struct member *member)
{
  const struct loop *loop = &member->work.loop;
  bool many = member->team->size > FEW_MEMBERS;
  if (unlikely(many) && sees_none_left(member))
    return 0;
  uint64_t section = add_relaxed(&loop->slot->handed_out, 1);
  if (unlikely(many) && section + 1 == loop->sections)
    tell_that_none_is_left(member);
  return section < loop->sections ? (unsigned)section + 1 : 0;
}
