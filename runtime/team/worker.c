/* The life of a worker: it waits for mail, serves as the member that the mail names until the
   region's end, and docks.  A docked worker helps with the tasks of the region that it has just
   finished, until the master closes the region. pool.md has the protocol, and the reason why a
   docked worker cannot touch the wrong region.  */
#include "team/pool.h"

#include "base/memory.h"
#include "base/stats.h"
#include "machine/disturbance.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "task/search.h"
#include "task/stack.h"
#include "task/steal.h"
#include "task/task_wait.h"
#include "team/stay_awake.h"
#include "team/team.h"
#include "team/team_wait.h"
#include "team/thread.h"
#include "threads/substrate.h"
#include "wait/loop.h"
#include "wait/running.h"

#include <errno.h>
#include <stdlib.h>


#define REGION(h) ((uint32_t)((h) >> 32))

/* In a forked child the only thread may be a former worker.  The child ends when that worker's part
   of the region is over.  */
static void end_if_forked(const struct thread *self)
{
  if (unlikely(!self->is_worker))
    exit(EXIT_SUCCESS);
}

/* True: the region that this worker has joined is not closed, and will not be before the worker has left it.  */
static bool enter(const struct thread *self, struct team *team)
{
  /* Pairs with the looks of no_helper_is_left, as the load does with the addition in close_region: the master sees this helper,
     or the worker sees that the region is closed.  What the worker reads of the region it has acquired with its mail, or
     acquires with a task.  */
  add_seq_cst(&self->member->helpers, 1);
  if (REGION(load_seq_cst(&team->region_state)) == self->dock.region_number)
    return true;
  sub_relaxed(&self->member->helpers, 1);
  return false;
}

/* Executes tasks of the region that this worker has joined.  */
static void help(struct thread *self)
{
  struct team *team = self->dock.team;
  struct member *member = self->member;
  if (!enter(self, team)) {
    self->dock.team = NULL;
    ghcomp_search_end(self);
    return;
  }
  struct thread *master = team->members[0].thread;
  ghcomp_inside_end();
  while (ghcomp_task_run_any(self))
    ;
  end_if_forked(self);
  ghcomp_inside_begin();
  /* The master may sleep until the last task is complete.  It cannot close the region before this
     subtraction.  */
  sub_seq_cst(&member->helpers, 1);
  ghcomp_parking_wake(&master->waiter);
}

/* Sequentially consistent because it is also the look before sleeping; see parking.md.  */
static bool has_mail(struct thread *self)
{
  return load_seq_cst(&self->mail.number) != self->dock.mails_served; /* pairs with ghcomp_worker_send */
}

static bool may_help(struct thread *self)
{
  return self->dock.team != NULL && load_seq_cst(&self->dock.team->ready_hint) != 0;
}

struct mail_wait {
  struct wait wait;
  struct thread *self;
  uint64_t slept;  /* cycles */
  uint64_t ask_at; /* cycles: it asks where Haskell threads run no earlier; 0: it has not spun
                      yet */
  unsigned turns;  /* ghcomp_running.turns, when it began */
  bool stays;      /* it spins for longer than as usual: team/stay_awake.c */
};

static inline bool mail_has_come(struct wait *wait)
{
  return has_mail(((struct mail_wait *)wait)->self);
}

static inline struct spin begin_idle(struct wait *wait)
{
  const struct mail_wait *mail = (struct mail_wait *)wait;
  const struct thread *self = mail->self;
  struct spin w = ghcomp_parking_begin_idle(wait->self);
  if (unlikely(mail->stays))
    w.budget = ghcomp_stay_awake_ns();
  w.awaited_processor = self->dock.team != NULL ? self->dock.master_processor : -1;
  w.has_processors = self->dock.team != NULL && self->has_processors;
  return w;
}

static void keep_pool(struct thread *self)
{
  self->is_between_regions = true;
  ghcomp_pool_keep(self);
  self->is_between_regions = false;
}

static inline bool keep_or_help(struct wait *wait)
{
  struct thread *self = ((struct mail_wait *)wait)->self;
  if (unlikely(load_relaxed(&self->keeps_pool)))
    keep_pool(self);
  if (self->dock.team == NULL || !ghcomp_search_pays(self, self->dock.search_group, self->dock.team) ||
      ghcomp_thief_pauses(self))
    return false;
  help(self);
  return true;
}

/* A worker that has waited for a moment gives way where Haskell threads have work for all processors; and where another master
   begins what it has waited for.  `pauses_or_yields` is 0 when the worker has just looked at the clock.  Where Haskell threads
   run is a system call.  So the worker asks rarely, and not in its first microseconds.  */
#define ASK_NS 8000
static inline void sleep_at_once(struct spin *w)
{
  w->budget = 0;
  w->crowded = false;
}

static inline bool another_begins(const struct mail_wait *mail)
{
  return unlikely(load_relaxed(&ghcomp_running.turns) != mail->turns) && ghcomp_parking_learns();
}

static inline void give_way(struct wait *wait, struct spin *w)
{
  struct mail_wait *mail = (struct mail_wait *)wait;
  if (likely(w->deadline == 0 || w->pauses_or_yields != 0))
    return;
  if (another_begins(mail)) {
    sleep_at_once(w);
    return;
  }
  uint64_t now = cycles_now();
  bool asks = mail->ask_at != 0 && now >= mail->ask_at;
  if (mail->ask_at == 0 || asks)
    mail->ask_at = now + cycles_in(ASK_NS);
  if (asks && ghcomp_substrate_host_busy_from_outside() >= ghcomp_machine_processors())
    w->crowded = true;
}

static inline bool tasks_go_on(struct thread *self)
{
  return self->dock.team != NULL && ghcomp_search_goes_on(self, self->dock.search_group, self->dock.team);
}

static inline bool stays_awake(struct wait *wait)
{
  struct mail_wait *mail = (struct mail_wait *)wait;
  mail->stays = !another_begins(mail) && ghcomp_stay_awake(mail->self);
  return mail->stays;
}

static inline bool spins_on(struct wait *wait)
{
  return tasks_go_on(((struct mail_wait *)wait)->self) || stays_awake(wait);
}

/* The worker may have lost its team since its last look.  */
static inline void announce_sleep(struct wait *wait)
{
  struct thread *self = ((struct mail_wait *)wait)->self;
  wait->crew = self->dock.team != NULL ? &self->dock.team->crew : NULL;
  ghcomp_task_prepare_sleep(self, wait->crew);
}

/* The keeper of the pool sleeps until its next look is due.  */
static inline void sleep_unless_helping(struct wait *wait)
{
  struct mail_wait *mail = (struct mail_wait *)wait;
  ghcomp_stay_awake_before_sleep(mail->self);
  uint64_t since = cycles_now();
  bool available = may_help(mail->self);
  ghcomp_parking_awake(-1);
  if (unlikely(load_seq_cst(&mail->self->keeps_pool)) && !available) /* pairs with the swap in pool.c */
    ghcomp_parking_sleep_for(wait->self, ghcomp_pool_ns_to_look());
  else
    ghcomp_task_sleep_unless(mail->self, available);
  ghcomp_parking_awake(1);
  mail->slept += cycles_now() - since;
}

static const struct wait_kind until_mail = {
    .is_over = mail_has_come, .do_other = keep_or_help, .begin_spin = begin_idle, .give_way = give_way, .goes_on = spins_on,
    .announce = announce_sleep, .sleep = sleep_unless_helping};

static int publish_processor(struct team *team, const struct member *member)
{
  int here = ghcomp_machine_here();
  ghcomp_team_publish_processor(team, member->number, here);
  return here;
}

static void wait_for_mail(struct thread *self)
{
  struct mail_wait mail = {.wait.self = &self->waiter, .self = self, .turns = load_relaxed(&ghcomp_running.turns)};
  store_relaxed(&self->dock.seen_on, publish_processor(self->member->team, self->member) + 1);
  ghcomp_wait(&until_mail, &mail.wait);
  ghcomp_search_end(self);
  ghcomp_parking_end_idle(&self->waiter, mail.slept);
  ghcomp_stay_awake_learn(self);
  self->dock.has_slept = mail.slept != 0;
  self->dock.mails_served++;
}

static void look_where(struct thread *self, struct team *team, const struct member *member)
{
  int here = publish_processor(team, member);
  self->has_processors = ghcomp_team_has_processors(team);
  self->dock.master_processor = self->mail.content.master_processor;
  if (unlikely(here == self->dock.master_processor || ghcomp_parking_is_crowded()))
    ghcomp_spread_suspect(self, team);
}

/* Not in line: the start of a region in a small team would save the registers that this needs.  */
static __attribute__((noinline)) void call_others(struct thread *self, const struct member *member)
{
  ghcomp_relay_assign_more(member->team, member->number, self->dock.has_slept, self->mail.content);
}

static void serve(struct thread *self, struct member *member)
{
  struct team *team = member->team;
  ghcomp_self_serves(self, member);
  if (ghcomp_gather_is_tree(team))
    call_others(self, member);
  look_where(self, team, member);
  if (team->carries_modes)
    ghcomp_machine_set_float_modes(team->modes);
  ghcomp_team_enter(self, member);
  if (unlikely(self->tasks.may_have_been_woken))
    ghcomp_ready_pass_on(self);
  ghcomp_inside_end();
  team->fn(team->data);
  end_if_forked(self);
  ghcomp_inside_begin();
  uint32_t joined_when_all = self->mail.content.joined_when_all;
  self->dock.team = team;
  self->dock.search_group = member->search_group[GATHER_JOIN];
  self->dock.region_number = self->mail.content.region_number;
  struct thread *master = team->members[0].thread;
  self->awake.master = master;
  if (unlikely(team->detached)) {
    ghcomp_team_leave(team, member->number);
    return;
  }
  /* Pairs with the load of `joined` in join.c, which sees what this member did.  From here on the
     team may be used for other regions.  */
  if (ghcomp_gather_is_head(team, member->number, GATHER_JOIN) &&
      add_seq_cst(&team->joined, 1) + 1 == joined_when_all)
    ghcomp_parking_wake(&master->waiter);
}

static void *run(void *argument)
{
  struct thread *self = argument;
  ghcomp_inside_begin(); /* all of the loop but for the program's code */
  ghcomp_self_becomes(self);
  ghcomp_stack_begin_own(self);
  ghcomp_machine_block_signals(self->starter_signals);
  store_relaxed(&self->kernel_thread, ghcomp_machine_thread());
  ghcomp_places_say_new_thread(self->own_number);
  ghcomp_worker_name_show(self);
  ghcomp_parking_awake(1);
  ghcomp_count(&self->waiter.counters, STAT_WORKERS_STARTED);
  for (;;) {
    wait_for_mail(self);
    struct member *member = self->mail.assignment;
    if (member == NULL)
      break;
    serve(self, member);
  }
  ghcomp_parking_awake(-1);
  /* Destructors of thread-local objects run after this, and may start regions.  For them this is a
     thread that has not met the runtime.  */
  struct held held = ghcomp_machine_hold();
  ghcomp_self_becomes(NULL);
  ghcomp_worker_name_give_back(self->number_in_pool);
  ghcomp_inside_end();
  ghcomp_machine_let(held);
  ghcomp_thread_retire(self);
  /* The C library takes locks of its allocator when a thread ends.  A handler that started a region meanwhile would wait for
     them for ever.  */
  ghcomp_machine_hold();
  return NULL;
}

int ghcomp_worker_start(struct thread *worker, uint64_t signals)
{
  if (!ghcomp_thread_prepare(worker))
    return ENOMEM;
  worker->is_worker = true;
  worker->starter_signals = signals;
  worker->stack_size = ghcomp_spawn_usable(ghcomp_settings.stack_size);
  worker->dock.mails_served = load_relaxed(&worker->mail.number);
  worker->number_in_pool = ghcomp_worker_name_take();
  int error = ghcomp_substrate_current()->spawn(run, worker, ghcomp_settings.stack_size);
  if (error != 0)
    ghcomp_worker_name_give_back(worker->number_in_pool);
  return error;
}

void ghcomp_worker_dismiss(struct thread *worker)
{
  ghcomp_worker_send(worker, NULL);
}
