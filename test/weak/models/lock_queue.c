/* Threads that spin for a lock stand in a queue.  Each gets the lock, though only the first of them looks; one of them loses
   patience, and sleeps.
   code: wait/lock.c.  */
#include "wait/lock.h"
#include "made_team.h"

unsigned weak_threads = 3;
static lock_word lock;
static int counter;
static unsigned looks[3];

static struct crew *the_crew(struct waiter *self)
{
  (void)self;
  return &team->crew;
}

static const struct crew_kind crews = {size_of_team, waiter_of_team, never_fits, the_crew, suspect_nothing, has_none_on};

struct spin ghcomp_parking_begin(struct waiter *self, const struct crew *crew)
{
  return (struct spin){.self = self, .crew = crew, .pauses_per_look = 1};
}

/* The first pause ends by itself, each other one when there is something new to see.  */
bool ghcomp_parking_spin(struct spin *w)
{
  (void)w;
  unsigned number = ghcomp_self_pointer->member->number, look = looks[number]++;
  if (look != 0 && number == 2)
    return false;
  if (look != 0)
    weak_spin();
  return true;
}

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_crew_kind = &crews;
  for (unsigned i = 0; i < 3; i++)
    looks[i] = 0;
}

void weak_thread(unsigned number)
{
  be(number);
  ghcomp_lock_acquire(&lock);
  counter++;
  ghcomp_lock_release(&lock);
}

void weak_end(void)
{
  weak_assert(counter == 3 && lock == LOCK_FREE);
}
