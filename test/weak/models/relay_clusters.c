/* Two clusters.  The master, a caller of the second cluster, and a member of the first one that has slept and so comes to
   both mail to the workers, in two regions.  In each region each worker gets one mail, with that region's number.  In the
   second region the two are late: they call nobody before the master has called all.  The other workers are only mailboxes.
   code: wait/parking.c.  */
#define RELAY_CLUSTER 9u
#include "team/relay.c"

#include "made_team.h"

enum { SIZE = 13, REGIONS = 2, MASTER = 0, SLEEPER = RELAY_CLUSTER - 1, CALLER = RELAY_CLUSTER };
unsigned weak_threads = 3;
static const unsigned played[] = {MASTER, SLEEPER, CALLER};
static struct thread *mailbox[SIZE];

void weak_setup(void)
{
  make_members(3);
  struct thread *mine[] = {thread[0], thread[1], thread[2]};
  team = weak_alloc(sizeof *team + SIZE * sizeof team->members[0]);
  team->size = team->capacity = SIZE;
  team->heads = 2;
  for (unsigned i = 0; i < SIZE; i++) {
    team->members[i].team = team;
    team->members[i].number = i;
    mailbox[i] = weak_alloc(sizeof *mailbox[i]);
  }
  for (unsigned i = 0; i < weak_threads; i++)
    mailbox[played[i]] = mine[i];
  for (unsigned i = 0; i < SIZE; i++)
    team->members[i].thread = mailbox[i];
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  unsigned member = played[number];
  for (unsigned region = 1; region <= REGIONS; region++) {
    if (member == MASTER) {
      ghcomp_relay_assign_all(team, (struct mail_content){.region_number = region});
      if (load_acquire_at(0, &team->joined) != region * (weak_threads - 1))
        weak_spin();
      continue;
    }
    if (load_acquire_at(0, &self->mail.number) != region)
      weak_spin();
    if (region == REGIONS && load_acquire_at(1, &mailbox[SIZE - 1]->mail.number) != region)
      weak_spin();
    weak_assert(self->mail.content.region_number == region && self->mail.assignment == &team->members[member]);
    ghcomp_relay_assign_more(team, member, member == SLEEPER, self->mail.content);
    add_acq_rel_at(0, &team->joined, 1);
  }
}

void weak_end(void)
{
  weak_assert(mailbox[MASTER]->mail.number == 0);
  for (unsigned i = 1; i < SIZE; i++)
    weak_assert(mailbox[i]->mail.number == REGIONS && mailbox[i]->mail.content.region_number == REGIONS);
}
