/* Who combines what the members of a team have for a reduction clause, where the compiler leaves it to the
   runtime: code of LLVM's and Intel's compilers does.

   The compiled code can combine a member's values with the variables in two ways: with atomic operations,
   in which case the runtime has nothing to do, or plainly, for which the member has a lock of the
   construct's until the code is done.  In both ways the variables' lines go from member to member.  Where n
   members come at once, their atomic operations fail n * n / 2 times.

   So the members of a large team first take each other's values, in a tree: member 2i those of member 2i + 1, then
   member 4i those of member 4i + 2, and so on, until few have all: these combine them with the variables.  Where that needs the
   lock, it is member 0 alone.  For that the compiled code has a function
   that combines the values of two members.

   The values are on the stacks of their members, so a member that offers its own waits until they are taken.
   It must not wait for long, and not where members share processors.  A member may pass a nowait reduction at any time, and others may wait for what it does
   afterwards.  So a member waits no longer than the other ways would take if all members came at once.  Then it
   goes one of these ways with what it has: it takes its offer back, or refuses the offer for which it has waited.

   Invariant: a member reads another one's values only between its change of `state` from OFFER_MADE to OFFER_TAKEN
   and its store of OFFER_NONE.  Meanwhile the other member is in give.  All members of a team come to the same
   reductions in the same order, so a number says which offers belong together.
   Models: test/weak/models/reduce.c, reduce_chain.c.  */
#include "team/team.h"

#include "base/cycles.h"
#include "wait/loop.h"
#include "wait/program_lock.h"

/* Teams of more members combine in the tree.  Simulated on three machines, regions of nine to sixteen members: the sum of a double,
   whose compare-and-swap fails where others come at once, takes 0.7 (nine) to 0.2 (sixteen) of what it takes without; the sum of a
   whole number, whose addition never fails, 1.5 to 0.97 of that, still less than libomp's.  The runtime does not know what
   the variables are.  */
enum { FEW_MEMBERS = 8 };

/* So many members, at most, end with atomic operations what the tree has begun.  They fail seldom, and the last two steps of
   the tree take longer (simulated, also against 1, 2 and 8).  */
enum { MOST_BY_ATOMICS = 4 };

/* For each member of the team: what the transfer of a line between distant processors takes.  If all members come
   within that time, they would queue for the variables.  If they do not, they need not combine.  */
#define WAIT_PER_MEMBER_NS 200u

/* For the reduction whose number is beside it, and for those before: REFUSED: nobody will take the values that the member
   offers.  LEFT: the member will not offer any.  */
enum offer_state { OFFER_NONE, OFFER_MADE, OFFER_TAKEN, OFFER_REFUSED, OFFER_LEFT };

static inline uint64_t state_of(uint64_t reduction, enum offer_state state)
{
  return reduction << 3 | state;
}

static inline bool is_in(uint64_t state, enum offer_state of)
{
  return (state & 7) == of;
}

/* The state holds for the reduction.  */
static inline bool is_in_for(uint64_t state, enum offer_state of, uint64_t reduction)
{
  return is_in(state, of) && (int64_t)(state - state_of(reduction, of)) >= 0;
}

/* The number of the reduction that the member comes to.  It grows from region to region, too, because states stay.  */
static inline uint64_t next_number(struct member *member)
{
  return ((uint64_t)member->team->region_number << 29) + ++member->work.next_slot.reductions;
}

struct offer_wait {
  struct wait wait;
  struct member_offer *offer;
  uint64_t reduction;
  uint64_t end;                /* cycles */
};

/* It does not sleep, so it need not know the others.  */
static inline struct offer_wait wait_by(struct thread *self, struct member_offer *offer, uint64_t reduction, uint64_t end)
{
  return (struct offer_wait){{.self = &self->waiter}, offer, reduction, end};
}

static inline bool is_too_long(struct wait *wait)
{
  return cycles_now() >= ((const struct offer_wait *)wait)->end;
}

static inline bool is_decided(struct wait *wait)
{
  const struct offer_wait *w = (const struct offer_wait *)wait;
  uint64_t state = load_relaxed(&w->offer->state);
  return is_in(state, OFFER_MADE) || is_in_for(state, OFFER_LEFT, w->reduction);
}

/* The values have been taken.  Whoever took them may be at a later reduction by now, and refuse that one's.  */
static inline bool is_over(struct wait *wait)
{
  const struct offer_wait *w = (const struct offer_wait *)wait;
  uint64_t state = load_acquire(&w->offer->state); /* pairs with take */
  return state != state_of(w->reduction, OFFER_MADE) && state != state_of(w->reduction, OFFER_TAKEN);
}

static const struct wait_kind until_decided = {.is_over = is_decided, .is_wanted = is_too_long,
                                               .when_spent = THEN_GIVE_UP};
static const struct wait_kind until_taken = {.is_over = is_over, .is_wanted = is_too_long, .when_spent = THEN_GIVE_UP};
static const struct wait_kind until_combined = {.is_over = is_over, .when_spent = THEN_SPIN};

static inline bool try_to_take(struct member_offer *offer, uint64_t reduction)
{
  uint64_t made = state_of(reduction, OFFER_MADE);
  return cas_acquire(&offer->state, &made, state_of(reduction, OFFER_TAKEN)); /* pairs with give */
}

/* The caller waits no longer.  True: it has taken the other member's values.  */
static bool take_or_refuse(struct member_offer *offer, uint64_t reduction)
{
  uint64_t state = load_relaxed(&offer->state);
  /* Where an offer for another reduction is made, its member has left this one, or is about to leave that one.  */
  while (!is_in(state, OFFER_MADE))
    if (is_in_for(state, OFFER_LEFT, reduction) || cas_relaxed(&offer->state, &state, state_of(reduction, OFFER_REFUSED)))
      return false;
  return try_to_take(offer, reduction);
}

/* Takes the other member's values, if it offers them in time.  */
static void take(struct thread *self, struct member_offer *offer, const struct reduction_code *code, uint64_t reduction,
                 uint64_t end)
{
  if (!try_to_take(offer, reduction)) {
    struct offer_wait w = wait_by(self, offer, reduction, end);
    ghcomp_wait(&until_decided, &w.wait);
    if (!take_or_refuse(offer, reduction))
      return;
  }
  code->combine(code->values, offer->values);
  store_release(&offer->state, OFFER_NONE); /* pairs with is_over, also where OFFER_REFUSED follows: the values may go */
}

/* True: another member has taken the values.  */
static bool give(struct thread *self, void *values, uint64_t reduction, uint64_t end)
{
  struct member_offer *offer = &self->member->offer;
  struct offer_wait w = wait_by(self, offer, reduction, end);
  uint64_t made = state_of(reduction, OFFER_MADE);
  offer->values = values;
  uint64_t before = swap_release(&offer->state, made); /* pairs with try_to_take */
  bool refused = is_in_for(before, OFFER_REFUSED, reduction);
  if (!refused && ghcomp_wait(&until_taken, &w.wait))
    return true;
  if (cas_relaxed(&offer->state, &made, refused ? before : state_of(reduction, OFFER_LEFT)))
    return false;
  ghcomp_wait(&until_combined, &w.wait);
  return true;
}

/* True: another member has taken the values.  Else the member has its own and those that it has taken.  */
static __attribute__((noinline)) bool combine_with_others(struct thread *self, const struct reduction_code *code)
{
  struct member *member = self->member;
  struct team *team = member->team;
  uint64_t reduction = next_number(member);
  uint64_t end = cycles_now() + cycles_in((uint64_t)WAIT_PER_MEMBER_NS * team->size);
  unsigned most = code->atomics ? MOST_BY_ATOMICS : 1;
  for (unsigned step = 1; step * most < team->size; step *= 2) {
    if ((member->number & step) != 0)
      return give(self, code->values, reduction, end);
    if (step < team->size - member->number)
      take(self, &team->members[member->number + step].offer, code, reduction, end);
  }
  return false;
}

enum reduction ghcomp_reduce_begin(struct thread *self, const struct reduction_code *code)
{
  struct member *member = self->member;
  unsigned size = member->team->size;
  if (size == 1)
    return REDUCE_PLAINLY;
  if (unlikely(size > FEW_MEMBERS) && ghcomp_team_has_processors(member->team) && code->combine != NULL &&
      combine_with_others(self, code))
    return REDUCE_IS_DONE;
  if (code->atomics)
    return REDUCE_BY_ATOMICS;
  ghcomp_program_lock_acquire(code->lock);
  member->work.holds_reduction_lock = true;
  return REDUCE_PLAINLY;
}

void ghcomp_reduce_end(struct thread *self, lock_word *lock)
{
  struct member *member = self->member;
  if (!member->work.holds_reduction_lock)
    return;
  member->work.holds_reduction_lock = false;
  ghcomp_program_lock_release(lock);
}
