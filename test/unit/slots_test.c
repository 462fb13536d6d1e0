/* storey: work */
/* Slots alone.  Members that go through constructs at any speed find the same slot, which is zero
   at first.  A block is used again after all members have left it.  */
#include "work/slots.h"
#include "made_team.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { MEMBERS = 4, CONSTRUCTS = 20000, LEAD = 300 };

/* A slot counts its visitors; the first finds 0.  */
static void visit(struct member *member, unsigned expected)
{
  struct slot *slot = ghcomp_slots_enter(member);
  uint64_t before = add_relaxed(&slot->handed_out, 1);
  assert(before == expected && load_relaxed(&slot->single_claimed) == before);
  add_relaxed(&slot->single_claimed, 1);
  struct slot_plan plan = {.scratch = 8};
  long *scratch = ghcomp_slots_extra(slot, &plan)->scratch;
  assert(*scratch == (long)before);
  ++*scratch;
}

/* One thread drives all members in random order, up to LEAD constructs apart.  */
static void any_order(unsigned seed)
{
  struct team *team = make_team(MEMBERS);
  static unsigned char visitors[CONSTRUCTS];
  unsigned done[MEMBERS] = {0}, finished = 0;
  memset(visitors, 0, sizeof visitors);
  srand(seed);
  while (finished < MEMBERS) {
    unsigned m = rand() % MEMBERS, slowest = CONSTRUCTS;
    for (unsigned i = 0; i < MEMBERS; i++)
      slowest = done[i] < slowest ? done[i] : slowest;
    for (unsigned steps = rand() % 40; steps > 0; steps--)
      if (done[m] < CONSTRUCTS && done[m] < slowest + LEAD) {
        visit(&team->members[m], visitors[done[m]]++);
        finished += ++done[m] == CONSTRUCTS;
      }
  }
  /* The chain has the block that is in use, and the next one.  */
  unsigned blocks = 0;
  for (struct slot_block *b = team->slots.oldest; b != NULL; b = load_relaxed(&b->next))
    blocks++;
  assert(blocks == 2);
  free_team(team);
}

/* With threads: each member visits every construct exactly once.  */
static void *walk(void *argument)
{
  struct member *member = argument;
  for (unsigned i = 0; i < CONSTRUCTS; i++) {
    struct slot *slot = ghcomp_slots_enter(member);
    assert(add_relaxed(&slot->handed_out, 1) < MEMBERS);
    assert(add_relaxed(&slot->ordered_done, i) % (i == 0 ? 1 : i) == 0); /* only numbers of this construct */
    struct slot_plan plan = {.scratch = sizeof(_Atomic uint64_t)};
    _Atomic uint64_t *scratch = ghcomp_slots_extra(slot, &plan)->scratch;
    assert(add_relaxed(scratch, i) % (i == 0 ? 1 : i) == 0);
  }
  return NULL;
}

static void threads(void)
{
  struct team *team = make_team(MEMBERS);
  pthread_t thread[MEMBERS];
  for (unsigned i = 0; i < MEMBERS; i++)
    pthread_create(&thread[i], NULL, walk, &team->members[i]);
  for (unsigned i = 0; i < MEMBERS; i++)
    pthread_join(thread[i], NULL);
  free_team(team);
}

/* A cancelled region leaves members at different constructs.  After a reset all begin anew.  */
static void reset(void)
{
  struct team *team = make_team(MEMBERS);
  for (unsigned round = 0; round < 50; round++) {
    for (unsigned m = 0; m < MEMBERS; m++)
      for (unsigned i = 0; i < (round * 7 + m * 13) % 90; i++)
        ghcomp_slots_enter(&team->members[m])->handed_out = 9;
    ghcomp_slots_reset(team);
    for (unsigned m = 0; m < MEMBERS; m++)
      team->members[m].work.next_slot = team->first_slot;
    for (unsigned m = 0; m < MEMBERS; m++)
      visit(&team->members[m], m);
  }
  free_team(team);
}

/* A member that is far ahead makes blocks without parts.  Members that arrive later find no parts
   there either.  After a reset there are parts again.  */
static void alone_far_ahead(void)
{
  struct team *team = make_team(MEMBERS);
  static bool has_parts[CONSTRUCTS];
  for (unsigned m = 0; m < MEMBERS; m++)
    for (unsigned i = 0; i < CONSTRUCTS; i++) {
      ghcomp_slots_enter(&team->members[m]);
      bool has = ghcomp_slots_parts(&team->members[m]) != NULL;
      assert(m == 0 || has == has_parts[i]);
      has_parts[i] = has;
    }
  assert(has_parts[0] && has_parts[LEAD] && !has_parts[CONSTRUCTS / 2]);
  ghcomp_slots_reset(team);
  team->members[0].work.next_slot = team->first_slot;
  ghcomp_slots_enter(&team->members[0]);
  assert(ghcomp_slots_parts(&team->members[0]) != NULL);
  free_team(team);
}

/* The lead of the fastest member over slower ones stays bounded: it gives them time, but never
   waits for them.  */
enum { MANY = 1000000, LONGER = 40 };
static uint32_t longest_lead;

static void *hurry(void *argument)
{
  struct member *member = argument;
  const struct team *team = member->team;
  for (unsigned i = 0; i < MANY; i++) {
    ghcomp_slots_enter(member);
    uint32_t lead = member->work.next_slot.block->number - load_relaxed(&team->slots.oldest_number);
    longest_lead = lead > longest_lead ? lead : longest_lead;
  }
  return NULL;
}

static void *follow(void *argument)
{
  for (unsigned i = 0; i < MANY; i++) {
    ghcomp_slots_enter(argument);
    for (volatile unsigned k = 0; k < LONGER; k++)
      ;
  }
  return NULL;
}

static void slower_ones(void)
{
  struct team *team = make_team(2);
  pthread_t thread[2];
  pthread_create(&thread[0], NULL, hurry, &team->members[0]);
  pthread_create(&thread[1], NULL, follow, &team->members[1]);
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
  assert(longest_lead < MANY / BLOCK_SLOTS / 12);
  free_team(team);
}

int main(void)
{
  for (unsigned seed = 1; seed <= 30; seed++)
    any_order(seed);
  for (int i = 0; i < 10; i++)
    threads();
  reset();
  alone_far_ahead();
  slower_ones();
  return 0;
}
