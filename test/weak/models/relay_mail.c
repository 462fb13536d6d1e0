/* The master, and a worker that has its mail, mail to the other workers, in two regions.  In each
   region each worker gets one mail, with its data.  The other workers are only mailboxes.
   code: team/relay.c wait/parking.c.  */
#include "made_team.h"
#include "team/pool.h"
#include "team/team_wait.h"

enum { SIZE = 7 };
unsigned weak_threads = 2;
static struct thread *mailbox[SIZE];

void weak_setup(void)
{
  make_members(2);
  struct thread *mine[] = {thread[0], thread[1]};
  team = weak_alloc(sizeof *team + SIZE * sizeof team->members[0]);
  team->size = team->capacity = SIZE;
  team->heads = 2;
  for (unsigned i = 0; i < SIZE; i++) {
    team->members[i].team = team;
    team->members[i].number = i;
    mailbox[i] = i < 2 ? mine[i] : weak_alloc(sizeof *mailbox[i]);
    team->members[i].thread = mailbox[i];
  }
}

void weak_thread(unsigned number)
{
  be(number);
  for (unsigned round = 1; round <= 2; round++) {
    if (number == 0) {
      ghcomp_relay_assign_all(team, (struct mail_content){.region_number = round});
      if (load_acquire_at(0, &team->joined) != round)
        weak_spin();
      continue;
    }
    if (load_acquire_at(0, &thread[1]->mail.number) != round)
      weak_spin();
    weak_assert(thread[1]->mail.content.region_number == round && thread[1]->mail.assignment == &team->members[1]);
    ghcomp_relay_assign_more(team, 1, false, thread[1]->mail.content);
    add_acq_rel_at(0, &team->joined, 1);
  }
}

void weak_end(void)
{
  for (unsigned i = 1; i < SIZE; i++)
    weak_assert(mailbox[i]->mail.number == 2 && mailbox[i]->mail.content.region_number == 2);
}
