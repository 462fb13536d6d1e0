/* The slots of worksharing constructs.  See slots.md.

   Invariant: a block is cleared and reused only after every member has left it.  A member that has
   a position in a block has not left it.  */
#include "work/slots.h"

#include "base/check.h"
#include "base/cycles.h"
#include "base/memory.h"
#include "state/thread.h"
#include "task/taskgroup.h"
#include "wait/parking.h"

#include <stdlib.h>
#include <string.h>

#define FAR_AHEAD 64u /* blocks */
#define LET_COME_NS 20000u

/* The memory of reductions belongs to the construct's end (taskgroup.c) once the extra is
   published.  */
static void unmake_extra(struct slot_extra *extra, bool reductions_too)
{
  for (unsigned i = 0; reductions_too && i < extra->reduction_lists; i++)
    ghcomp_memory_release(extra->reductions[i]);
  ghcomp_memory_release(extra->reductions);
  ghcomp_memory_release(extra->doacross);
  ghcomp_memory_release(extra->across);
  ghcomp_memory_release(extra->scratch);
  ghcomp_memory_release(extra);
}

static void drop_extra(struct slot *slot)
{
  struct slot_extra *extra = load_relaxed(&slot->extra);
  if (extra != NULL)
    unmake_extra(extra, false);
}

/* In place of a block's parts: a member found no memory for them, so no member gets any until the
   block is cleared.  */
#define NO_PARTS ((struct own_part *)1)

static inline bool are_parts(const struct own_part *parts)
{
  return (uintptr_t)parts > (uintptr_t)NO_PARTS; /* nor NULL */
}

/* Sets all bits: nobody has begun a part.  */
static void clear_parts(const struct team *team, struct slot_block *block)
{
  struct own_part *parts = load_relaxed(&block->parts);
  if (are_parts(parts))
    memset((void *)parts, 0xff, BLOCK_SLOTS * team->capacity * sizeof *parts);
  else
    store_relaxed(&block->parts, NULL);
  store_relaxed(&block->parts_used, false);
}

static void clear_slots(const struct team *team, struct slot_block *block, unsigned count)
{
  if (load_relaxed(&block->parts_used))
    clear_parts(team, block);
  if (count == BLOCK_SLOTS && load_relaxed(&block->marks_used)) {
    memset((void *)block->marks, 0, sizeof block->marks);
    store_relaxed(&block->marks_used, false);
  }
  for (unsigned i = 0; i < count; i++)
    drop_extra(&block->slots[i]);
  memset((void *)block->slots, 0, count * sizeof(struct slot));
}

static void release_block(struct slot_block *block)
{
  if (block != NULL && are_parts(load_relaxed(&block->parts)))
    ghcomp_memory_release(load_relaxed(&block->parts));
  if (block == NULL || !block->stays)
    ghcomp_memory_release(block);
}

static struct slot_block *make_block(void)
{
  return ghcomp_memory_get_lines(sizeof(struct slot_block));
}

/* One block of each team, clear, waits for reuse.  A second one is freed.  */
static void give_back(struct team *team, struct slot_block *block)
{
  store_relaxed(&block->next, NULL);
  store_relaxed(&block->members_gone_on, 0);
  /* Pairs with take_block, and with itself: the block found there may be one that another member
     has just made in vain, or cleared.  */
  struct slot_block *other = swap_acq_rel(&team->slots.spare, block);
  release_block(other);
}

static struct slot_block *take_block(struct team *team)
{
  struct slot_block *block = swap_acquire(&team->slots.spare, NULL); /* pairs with give_back */
  return block != NULL ? block : make_block();
}

static bool is_far_ahead(const struct team *team, const struct slot_block *block)
{
  return block->number - load_relaxed(&team->slots.oldest_number) >= FAR_AHEAD;
}

static void let_others_come(const struct team *team, const struct slot_block *block)
{
  uint64_t end = cycles_now() + cycles_in(LET_COME_NS);
  while (is_far_ahead(team, block) && cycles_now() < end)
    ghcomp_parking_step_aside(); /* another member may be waiting for this processor */
}

/* Appends a clear block that no other member knows.  Returns the block that follows now: another member may have been
   faster.  */
static struct slot_block *append(struct slot_block *block, struct slot_block *fresh, bool far_ahead)
{
  struct slot_block *next = NULL;
  fresh->without_parts = far_ahead;
  fresh->number = block->number + 1;
  return cas_acq_rel(&block->next, &next, fresh) ? fresh : next;
}

/* The block after `block`.  Makes it if there is none and this member is the first to need it.  */
static struct slot_block *next_block(struct team *team, struct slot_block *block)
{
  struct slot_block *next = load_acquire(&block->next); /* pairs with append */
  if (likely(next != NULL))
    return next;
  bool far_ahead = is_far_ahead(team, block);
  if (unlikely(far_ahead))
    let_others_come(team, block);
  struct slot_block *fresh = take_block(team);
  next = append(block, fresh, far_ahead);
  if (next != fresh)
    give_back(team, fresh);
  return next;
}

/* The member leaves the block.  True: it is the last one; it acquires what all did there.  In a large team each group counts
   in a slot of its own.  */
static bool is_last_to_leave(const struct team *team, struct slot_block *block, unsigned number)
{
  unsigned leavers = team->size;
  if (unlikely(leavers > MEMBER_GROUP)) {
    unsigned width = leavers > MEMBER_GROUP * BLOCK_SLOTS ? (leavers + BLOCK_SLOTS - 1) / BLOCK_SLOTS : MEMBER_GROUP;
    unsigned group = number / width, groups = (leavers + width - 1) / width;
    unsigned length = group + 1 < groups ? width : leavers - group * width;
    if (add_acq_rel(&block->slots[group].gone_on, 1) + 1 != length)
      return false;
    leavers = groups;
  }
  return add_acq_rel(&block->members_gone_on, 1) + 1 == leavers;
}

/* The cleared block becomes the one after `next`, where the members find it when they come there.  If one has been there,
   it waits for reuse.  */
static void reuse(struct team *team, struct slot_block *next, struct slot_block *block)
{
  store_relaxed(&block->next, NULL);
  store_relaxed(&block->members_gone_on, 0);
  if (load_relaxed(&next->next) != NULL || append(next, block, false) != block)
    give_back(team, block);
}

static void advance(struct member *member)
{
  struct team *team = member->team;
  struct slot_block *block = member->work.next_slot.block, *next = next_block(team, block);
  member->work.next_slot.block = next;
  member->work.next_slot.index = 0;
  if (is_last_to_leave(team, block, member->number)) {
    /* The last member to leave the next block comes after this, because this member has to leave
       it, too.  */
    team->slots.oldest = next;
    store_relaxed(&team->slots.oldest_number, next->number);
    CHECK(block != next);
    clear_slots(team, block, BLOCK_SLOTS);
    reuse(team, next, block);
  }
}

struct slot *ghcomp_slots_enter_shared(struct member *member)
{
  if (unlikely(member->work.next_slot.index == BLOCK_SLOTS))
    advance(member);
  return &member->work.next_slot.block->slots[member->work.next_slot.index++];
}

struct slot *ghcomp_slots_enter(struct member *member)
{
  struct team *team = member->team;
  if (team->size == 1) { /* nobody shares it: one slot is used again and again */
    clear_slots(team, member->work.next_slot.block, 1);
    return &member->work.next_slot.block->slots[0];
  }
  return ghcomp_slots_enter_shared(member);
}

/* NULL: this member, or one before it, found no memory.  */
static __attribute__((noinline)) struct own_part *make_parts(const struct team *team,
                                                             struct slot_block *block)
{
  size_t size = BLOCK_SLOTS * team->capacity * sizeof(struct own_part);
  struct own_part *parts = load_acquire(&block->parts); /* pairs with the cas below */
  if (parts == NULL) {
    struct own_part *fresh = ghcomp_memory_try_lines(size);
    fresh = fresh != NULL ? memset((void *)fresh, 0xff, size) : NO_PARTS;
    if (cas_acq_rel(&block->parts, &parts, fresh))
      parts = fresh;
    else if (are_parts(fresh))
      ghcomp_memory_release(fresh);
  }
  store_relaxed(&block->parts_used, true);
  return are_parts(parts) ? parts : NULL;
}

struct own_part *ghcomp_slots_parts(struct member *member)
{
  struct team *team = member->team;
  struct slot_block *block = member->work.next_slot.block;
  if (unlikely(block->without_parts))
    return NULL;
  struct own_part *parts = load_acquire(&block->parts); /* pairs with the cas in make_parts */
  if (unlikely(!are_parts(parts))) {
    parts = make_parts(team, block);
    if (parts == NULL)
      return NULL;
  }
  if (!load_relaxed(&block->parts_used))
    store_relaxed(&block->parts_used, true);
  return parts + (size_t)(member->work.next_slot.index - 1) * team->capacity;
}

static struct slot_extra *make_extra(const struct slot_plan *plan)
{
  struct slot_extra *extra = ghcomp_memory_get_zero(sizeof *extra);
  if (plan->reductions != NULL)
    extra->reductions = ghcomp_reduction_make_copies(plan->reductions, plan->threads, &extra->reduction_lists);
  if (plan->dimensions != 0)
    extra->doacross = ghcomp_ordered_make_doacross(plan->loop, plan->threads, plan->dimensions,
                                                   plan->counts);
  if (plan->span_count != 0)
    extra->across = ghcomp_across_make(plan->span_count, plan->spans);
  if (plan->scratch != 0)
    extra->scratch = ghcomp_memory_get_zero(plan->scratch);
  return extra;
}

struct slot_extra *ghcomp_slots_extra(struct slot *slot, const struct slot_plan *plan)
{
  struct slot_extra *extra = load_acquire(&slot->extra); /* pairs with the cas below */
  if (extra != NULL)
    return extra;
  struct slot_extra *mine = make_extra(plan);
  if (cas_acq_rel(&slot->extra, &extra, mine))
    return mine;
  unmake_extra(mine, true);
  return extra;
}

bool ghcomp_slots_make(struct team *team)
{
  struct slot_block *first = ghcomp_memory_try_lines(sizeof(struct slot_block));
  if (first == NULL)
    return false;
  team->first_slot = (struct slot_position){.block = first};
  team->slots.oldest = first;
  /* Else each of many members makes the second one when all come there.  If there is no memory for it now, they do.  A small team,
     which may never come there, begins sooner without.  */
  struct slot_block *second = team->capacity > MEMBER_GROUP ? ghcomp_memory_try_lines(sizeof(struct slot_block)) : NULL;
  if (second != NULL)
    append(first, second, false);
  return true;
}

void ghcomp_slots_make_in(struct team *team, struct slot_block *block)
{
  block->stays = true;
  team->first_slot = (struct slot_position){.block = block};
  team->slots.oldest = block;
}

static void release_chain(const struct team *team, struct slot_block *block)
{
  while (block != NULL) {
    struct slot_block *next = load_relaxed(&block->next);
    clear_slots(team, block, BLOCK_SLOTS);
    release_block(block);
    block = next;
  }
}

/* All but its number, and the block after it.  */
static void begin_again(const struct team *team, struct slot_block *block)
{
  clear_slots(team, block, BLOCK_SLOTS);
  store_relaxed(&block->members_gone_on, 0);
  store_relaxed(&block->next, NULL);
  block->without_parts = false;
}

static uint64_t number_after(const struct slot_block *block)
{
  while (load_relaxed(&block->next) != NULL)
    block = load_relaxed(&block->next);
  return block->number + 1;
}

/* Two blocks stay.  They get new numbers, because members may have been anywhere in the chain.  */
void ghcomp_slots_reset(struct team *team)
{
  struct slot_block *first = team->slots.oldest;
  struct slot_block *second = load_relaxed(&first->next);
  first->number = number_after(first);
  if (second != NULL) {
    release_chain(team, load_relaxed(&second->next));
    begin_again(team, second);
  }
  begin_again(team, first);
  if (second != NULL)
    append(first, second, false);
  team->first_slot = (struct slot_position){.block = first};
  store_relaxed(&team->slots.oldest_number, first->number);
}
