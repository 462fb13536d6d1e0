/* Virtual threads.  A real thread lends each its stack and its thread-local storage, and then sleeps for ever: the code of all
   virtual threads runs on the process's first thread, which changes stack and FS base.  */
#include "engine.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BELOW_LENDER = 16384 }; /* bytes of the lender's stack that stay its own */

struct thread *threads[MOST], *self;
int thread_count;
bool on;
ps bound;
static ps lookahead;
static pthread_t lenders[MOST];

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
long __real_syscall(long, ...);

static inline uint64_t read_base(void)
{
  uint64_t base;
  __asm__ volatile("rdfsbase %0" : "=r"(base));
  return base;
}

static inline void write_base(uint64_t base) { __asm__ volatile("wrfsbase %0" ::"r"(base)); }

/* Saves the registers that a call preserves, and changes stacks.  */
void scale_switch(void **from, void *to);
__asm__(".text\n.globl scale_switch\nscale_switch:\n"
        "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\nret\n");

static void switch_to(struct thread *to)
{
  struct thread *from = self;
  if (from == to)
    return;
  self = to;
  write_base(to->base);
  scale_switch(&from->stack, to->stack);
}

void stop(int status, const char *why)
{
  static const char name[] = "scale: ";
  ssize_t ignored = write(2, name, sizeof name - 1) + write(2, why, strlen(why)) + write(2, "\n", 1);
  (void)ignored;
  _exit(status);
}

/* ------------------------------------------------------------------------------ who has the least clock */

/* A tournament: node i is won by the better one of nodes 2i and 2i + 1; of two with the same clock by the one that was made
   first.  Sleepers take part with the end of their time-out, if they have one.  */
static ps key[MOST];
static int winner[2 * MOST];

void rank(struct thread *t)
{
  key[t->number] = t->state == READY && has_processor(t) ? t->time : t->state == ASLEEP ? t->until : EVER;
  for (int i = (MOST + t->number) / 2; i > 0; i /= 2) {
    int a = winner[2 * i], b = winner[2 * i + 1];
    winner[i] = key[b] < key[a] ? b : a;
  }
}

static ps second_to(int best)
{
  ps next = EVER;
  for (int i = MOST + best; i > 1; i /= 2) /* the second is one of those that the first has beaten */
    if (key[winner[i ^ 1]] < next)
      next = key[winner[i ^ 1]];
  return next;
}

static void time_out(struct thread *t)
{
  t->time = t->until;
  wake(t);
  t->timed_out = true;
}

static ps least(ps a, ps b) { return a < b ? a : b; }

void choose(void)
{
  give_way_if_over();
  rank(self);
  while (threads[winner[1]]->state == ASLEEP && key[winner[1]] != EVER)
    time_out(threads[winner[1]]);
  int best = winner[1];
  if (key[best] == EVER)
    stop(3, "every thread sleeps");
  ps next = second_to(best);
  bound = least(next == EVER ? EVER : next + lookahead, end_of_slice(threads[best]));
  switch_to(threads[best]);
}

void sleep_until(ps until)
{
  self->state = ASLEEP;
  self->until = until;
  self->timed_out = false;
  leave_processor();
  choose();
}

void wake(struct thread *t)
{
  t->state = READY;
  t->futex = NULL;
  t->until = EVER;
  t->time += NS(cost.wakes_after);
  become_ready(t);
}

/* --------------------------------------------------------------------------------------- begin and end */

static _Noreturn void end(void *result)
{
  self->result = result;
  call_destructors();
  self->state = DONE;
  leave_processor();
  choose();
  stop(2, "a thread that has ended went on");
}

static void begin(void)
{
  end(self->body(self->argument));
}

/* The C library's would end the one thread that runs all virtual ones.  Cleanup handlers are not called.  */
_Noreturn void __wrap_pthread_exit(void *result) { end(result); }

static void *lend(void *argument)
{
  struct thread *t = argument;
  char here;
  void **top = (void **)(((uintptr_t)&here - BELOW_LENDER) & ~(uintptr_t)63);
  *--top = NULL;
  *--top = (void *)begin;
  for (int i = 0; i < 6; i++) /* the registers that scale_switch restores */
    *--top = NULL;
  t->stack = top;
  t->base = read_base();
  __atomic_store_n(&t->prepared, 1, __ATOMIC_RELEASE);
  static uint32_t never;
  for (;;)
    __real_syscall(SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  return NULL;
}

static struct thread *make(void)
{
  struct thread *t = calloc(1, sizeof *t);
  if (t == NULL || thread_count == MOST)
    stop(t == NULL ? 2 : 5, "too many threads");
  t->number = thread_count;
  t->processor = (int)((size_t)thread_count * (size_t)cost.stride % (size_t)processors);
  t->until = EVER;
  threads[thread_count++] = t;
  return t;
}

void make_first_thread(void)
{
  for (int i = 0; i < MOST; i++)
    key[i] = EVER, winner[MOST + i] = i;
  for (int i = MOST - 1; i > 0; i--)
    winner[i] = winner[2 * i];
  lookahead = NS(cost.near < 25 ? cost.near * 0.8 : 20);
  self = make();
  self->base = read_base();
  lenders[self->number] = pthread_self();
  self->time = NS(1000);
  bound = EVER;
  become_ready(self);
  on = true;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
  (void)attributes; /* a lender never ends, and its stack has the usual size */
  struct thread *t = make();
  t->body = body;
  t->argument = argument;
  int error = __real_pthread_create(thread, NULL, lend, t);
  if (error != 0)
    stop(2, "the system refuses a thread");
  while (!__atomic_load_n(&t->prepared, __ATOMIC_ACQUIRE))
    __real_syscall(SYS_sched_yield);
  lenders[t->number] = *thread;
  t->time = self->time + NS(cost.starts_after);
  t->last = self->last;
  become_ready(t);
  note_system_call(PLACE);
  bound = 0; /* look again who is first */
  pass(cost.create);
  return 0;
}

struct thread *thread_of(int kernel_thread)
{
  int number = kernel_thread - FIRST_KERNEL_THREAD;
  return number >= 0 && number < thread_count ? threads[number] : NULL;
}

struct thread *thread_with(pthread_t lender)
{
  for (int i = 0; i < thread_count; i++)
    if (lenders[i] == lender)
      return threads[i];
  return NULL;
}

int __wrap_pthread_join(pthread_t lender, void **result)
{
  struct thread *t = thread_with(lender);
  if (t == NULL || t == self)
    return t == NULL ? ESRCH : EDEADLK;
  while (t->state != DONE)
    sleep_until(self->time + NS(10000));
  if (result != NULL)
    *result = t->result;
  return 0;
}
