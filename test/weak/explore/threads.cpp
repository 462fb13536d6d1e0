/* The model's threads.  Each has a stack; one runs at a time, until it yields.  */
#include "explore.h"

#include <cstdlib>
#include <cstring>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

enum { STACK = 1 << 17 };

Thread threads[MOST_THREADS];
int current = -1;

void make_stacks()
{
  for (Thread &thread : threads)
    thread.stack = (char *)map(STACK);
}

static void keep_locals(int t)
{
  for (int i = 0; i < local_count; i++)
    memcpy(locals[i].kept[t], locals[i].variable, locals[i].size);
}

static void give_locals(int t)
{
  for (int i = 0; i < local_count; i++)
    memcpy(locals[i].variable, locals[i].kept[t], locals[i].size);
}

#if defined(__x86_64__)
/* Saves the registers that a call preserves, and changes stacks.  */
extern "C" void weak_switch(void **from, void *to);
__asm__(".text\n.globl weak_switch\nweak_switch:\n"
        "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\nret\n");
static void *scheduler_stack, *thread_stack[MOST_THREADS];
#else
static ucontext_t scheduler, context[MOST_THREADS];
#endif

void to_scheduler()
{
  int t = current;
#if defined(__x86_64__)
  weak_switch(&thread_stack[t], scheduler_stack);
#else
  swapcontext(&context[t], &scheduler);
#endif
}

static void thread_main()
{
  model.body((unsigned)current);
  threads[current].state = DONE;
  to_scheduler();
  abort();
}

void make_thread(int t)
{
  Thread &thread = threads[t];
  thread.state = READY;
  thread.done = 0;
  thread.before = thread.prefix = Clock{};
#if defined(__x86_64__)
  void **top = (void **)(thread.stack + STACK);
  *--top = nullptr;
  *--top = (void *)thread_main;
  for (int i = 0; i < 6; i++)
    *--top = nullptr;
  thread_stack[t] = top;
#else
  getcontext(&context[t]);
  context[t].uc_stack = {.ss_sp = thread.stack, .ss_flags = 0, .ss_size = STACK};
  context[t].uc_link = nullptr;
  makecontext(&context[t], thread_main, 0);
#endif
}

void resume(int t)
{
  current = t;
  threads[t].state = READY;
  give_locals(t);
#if defined(__x86_64__)
  weak_switch(&scheduler_stack, thread_stack[t]);
#else
  swapcontext(&scheduler, &context[t]);
#endif
  keep_locals(t);
  current = -1;
}

void stop_for_good(State state, unsigned reads)
{
  threads[current].state = state;
  threads[current].waits_with = reads;
  to_scheduler();
  abort();
}

void give_up_run()
{
  too_long = true;
  stop_for_good(BLOCKED, 0);
}

void abort_run()
{
  aborted = true;
  stop_for_good(BLOCKED, 0);
}
