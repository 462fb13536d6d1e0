/* Many virtual processors on one.  The runtime's own code, compiled with -fsanitize=thread, calls the engine at each access to
   memory.  Each virtual thread has a clock.  The thread with the least clock runs; it goes on until its clock is `lookahead`
   past the next one's, which is less than any transfer of a line takes.  So accesses happen in the order of virtual time, and
   nothing of the real time shows.

   costs.c       what a machine's operations cost, from a topology file
   threads.c     virtual threads: who runs, how one begins and ends
   ends.c        what a thread calls when it ends
   run_queues.c  which thread has which processor, if there are more threads than processors
   start.c       the process's first thread becomes a virtual one; addresses are fixed
   lines.c       lines of memory: who has them, what a transfer costs
   calls.c       the functions that compilers call for -fsanitize=thread
   futex.c       the system calls that the runtimes make
   mutex.c       the C library's mutexes and condition variables, on the futex
   clocks.c      pause, cycle counter, clocks, processors
   files.c       what the system's files say of the machine and of its threads
   places.c      where in the code lines move, and which lines: for a report
   path.c        the critical path: who waited for whom
   scale.h       what programs may call  */
#ifndef SCALE_ENGINE_H
#define SCALE_ENGINE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "scale.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST = 512, WORDS = MOST / 64 }; /* threads and processors */
typedef uint64_t ps;                    /* picoseconds: a step of an instruction is less than a nanosecond */
#define NS(x) ((ps)((x)*1000.0))
#define EVER UINT64_MAX

/* What a topology file sets, under these names: nanoseconds, if nothing else is said.  */
struct costs {
  double processors, cluster, socket; /* how many: in all, in a cluster that shares a cache, in a socket */
  double near, far, remote;           /* a line from within the cluster, from within the socket, from another socket */
  double give_up;                     /* the part of these after which others have given up their copies of a line that one has, too */
  double memory;                      /* a line that no processor has */
  double share;                       /* so long one read keeps the next one from a line that several have */
  double step, hit, locked;           /* an access's share of instructions; a hit; a locked operation */
  double pause, cycles, yield, clock; /* the pause; reading the cycle counter; sched_yield; a clock without a system call */
  double call, wake, wakes_after;     /* a system call; each thread that it wakes; until that thread runs */
  double thread_clock, of_each;       /* the clock of a thread; that of the process takes so much more for each thread */
  double create, starts_after;        /* pthread_create; until the new thread runs */
  double slice, switches;             /* how long a thread keeps its processor if others wait for it; a change of threads */
  double preempts_after;              /* a woken thread gets a processor from one that has had it for so long */
  double overlap;                     /* how many reads of lines a processor has under way at a time */
  double stride;                      /* the next thread starts so many processors further on */
  double program;                     /* not 0: accesses of the program's own code count in all rows, as on a real machine */
  double noise, seed;                 /* the part of each transfer's time that is drawn by lot; from which seed */
  double most;                        /* millions of accesses after which the program is ended, as too long: none if 0 */
};
extern struct costs cost;
extern int processors;
void read_costs(void);

struct step;

struct thread {
  void *stack;    /* its stack pointer while another one runs */
  uint64_t base;  /* its FS base, by which the C library finds thread-local storage */
  ps time, until; /* its clock; when its sleep ends by itself, if it does */
  ps computed; /* until it last left its processor */
  int number, processor;
  enum { READY, ASLEEP, DONE } state;
  volatile uint32_t *futex; /* on which it sleeps */
  bool timed_out;
  void *(*body)(void *);
  void *argument, *result;
  int prepared;
  uint64_t calls, wakes;
  struct step *last; /* of its critical path */
  bool paused;       /* since its last transfer */
  struct thread *next; /* in the queue for its processor */
};
extern struct thread *threads[MOST], *self;
extern int thread_count;
extern bool on; /* the engine has begun */
extern ps bound; /* the running thread goes on until then */

/* threads.c */
void make_first_thread(void);
void choose(void);           /* lets the thread with the least clock run */
void rank(struct thread *);  /* another thread's clock or state has changed */
void sleep_until(ps until);  /* EVER: until it is woken */
void wake(struct thread *);  /* its clock says when */
enum { FIRST_KERNEL_THREAD = 1000 };
struct thread *thread_of(int kernel_thread); /* or NULL */
struct thread *thread_with(pthread_t);
_Noreturn void stop(int status, const char *why); /* ends the process */

/* The engine's own memset is not the program's.  */
void *__real_memset(void *, int, size_t);
static inline void clear(void *p, size_t size) { __real_memset(p, 0, size); }

static inline void pass(double ns)
{
  self->time += NS(ns);
  if (self->time > bound)
    choose();
}

/* ends.c */
void call_destructors(void);

/* run_queues.c */
bool has_processor(const struct thread *);
ps computed(const struct thread *);
void become_ready(struct thread *);
void leave_processor(void);
void give_way_if_over(void);
void yield_processor(void);
ps end_of_slice(const struct thread *); /* EVER: nobody waits */

/* lines.c */
enum kind { READ, WRITE, UPDATE };
struct line {
  uintptr_t key; /* its address / 64; 0: unused */
  ps busy;       /* until then it is on its way, and others wait */
  int owner;     /* the processor that has it alone, or -1 */
  uint64_t sharers[WORDS];
  struct step *moved; /* the last transfer; only for a critical path */
};
void make_lines(void);
void touch(const volatile void *, enum kind, uintptr_t place);
void touch_range(const volatile void *, size_t, enum kind, uintptr_t place);
extern uint64_t transfers;
#define PLACE ((uintptr_t)__builtin_return_address(0))

/* places.c: something is kept only between the program's `scale_begin` and `scale_end`, if SCALE_REPORT names a file.  */
extern bool reports;
void read_report(void);
void note_access(const struct line *, uintptr_t place, enum kind, bool moved, ps took);
void note_call(uintptr_t place);
static inline void note_system_call(uintptr_t place)
{
  self->calls++;
  if (reports)
    note_call(place);
}

/* path.c */
void note_transfer(struct line *, uintptr_t place, bool queued, ps took);
void note_wake(struct thread *woken, uintptr_t place, ps took);
void forget_path(void);
void write_path(int file, ps began);
#endif
