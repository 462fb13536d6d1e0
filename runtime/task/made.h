/* A task that is made first and submitted later.  Compilers of the LLVM family ask for a block, fill
   it, and hand it back; GCC's code does both in one call (task.h).

     block = ghcomp_made_block(self, size, compiler_flags);       the compiler fills it
     ghcomp_made_submit(self, block, &request);          or, where nothing special is asked for:
     ghcomp_made_at_once(self, parent, block, run);

   The block stands in the task's header, or in a payload; before it stands a word that leads back to the
   header.  So one address, the block's, is all that compilers keep.

   A task becomes the child of the one that submits it.  Until then nobody knows it but its maker, and those
   that its event was given to.

   A task in parts (the compilers' "untied") returns at each scheduling point, after it has said that it goes on
   (ghcomp_made_goes_on), and its next call continues there.  The calling thread continues it at once; but after
   a taskyield it is ready like any other task, so others have their turn, and another thread may continue it.
   One that has a taskgroup open stays, because the group knows who waits for it.  */
#ifndef GHCOMP_TASK_MADE_H
#define GHCOMP_TASK_MADE_H

#include "task/at_once.h"
#include "task/event.h"

/* Before the block.  */
struct made {
  uint64_t compiler_flags : 16, size : 48; /* in the compiler's own bits; of the block */
  struct task *task;
};

enum { SMALL_BLOCK = SMALL_PAYLOAD - sizeof(struct made) };
_Static_assert((offsetof(struct task, small_payload) + sizeof(struct made)) % CACHELINE == 0,
               "compilers expect blocks that may hold vectors");

static inline struct made *ghcomp_made_of(void *block)
{
  return (struct made *)block - 1;
}

/* The block's task.  A small block is in its header, so that the address of the next header at hand does not
   wait for a load.  */
static inline struct task *ghcomp_made_task(void *block)
{
  struct made *made = ghcomp_made_of(block);
  if (likely(made->size <= SMALL_BLOCK))
    return (struct task *)((char *)made - offsetof(struct task, small_payload));
  return made->task;
}

static inline void *ghcomp_made_begin(struct made *made, struct task *task, size_t size, unsigned compiler_flags)
{
  *made = (struct made){.compiler_flags = (uint16_t)compiler_flags, .size = size, .task = task};
  task->flags = 0; /* whoever fulfills its event already sets a bit, which the body's end finds */
  return made + 1;
}

/* A new task's block, where a header is at hand and has room for it; else NULL.
   Cost: some instructions.  */
static inline void *ghcomp_made_block_at_hand(struct thread *self, size_t size, unsigned compiler_flags)
{
  struct task *task = self->tasks.headers_at_hand;
  if (unlikely(task == NULL || size > SMALL_BLOCK))
    return NULL;
  self->tasks.headers_at_hand = task->next;
  return ghcomp_made_begin((struct made *)task->small_payload, task, size, compiler_flags);
}

/* A new task's block, which begins on a cache line.
   Cost: for more than SMALL_BLOCK bytes an allocation.  */
void *ghcomp_made_block(struct thread *self, size_t size, unsigned compiler_flags);

struct made_request {
  void (*fn)(void *block);   /* runs the body; that of a task in parts by ghcomp_made_parts */
  bool deferrable, final;
  bool in_parts, detached;
  bool always;               /* run fn even if the task is cancelled: the block holds objects */
  int priority;
  void **depend;             /* as in GCC's array, or NULL */
};

/* The block's task is complete when its body is and, if detached, its event.  */
void ghcomp_made_submit(struct thread *self, void *block, const struct made_request *request);

/* The same for a task without dependences and event that is executed before the call returns.  */
void ghcomp_made_run(struct thread *self, void *block, const struct made_request *request);

/* The same for a task that asks for nothing but perhaps `final`, is not cancelled and runs at once
   (ghcomp_task_runs_at_once).  */
static inline void ghcomp_made_at_once(struct thread *self, struct task *parent, void *block,
                                       void (*fn)(void *), unsigned final)
{
  struct task *task = ghcomp_made_task(block);
  store_relaxed(&task->runner, self); /* it may have been made by another */
  ghcomp_task_inherit(task, parent, final);
  if (ghcomp_at_once_run(self, parent, task, fn, block))
    ghcomp_at_once_end(self, task);
}

/* The creator is to execute the task now.  Between the two the body runs, in a call of the compiler's or in
   the caller's, all parts of it.  */
void ghcomp_made_begin_undeferred(struct thread *self, void *block, const struct made_request *request);
void ghcomp_made_end_undeferred(struct thread *self, void *block, bool detached);

/* The task will not be submitted.  */
void ghcomp_made_discard(struct thread *self, void *block);

/* The handle for ghcomp_event_fulfill.  */
static inline void *ghcomp_made_event(void *block)
{
  return ghcomp_task_event(ghcomp_made_task(block));
}

/* The current task is the block's, and will go on after its body has returned.  */
static inline bool ghcomp_made_is_current(const struct thread *self, void *block)
{
  return self->member->task == ghcomp_made_task(block);
}

static inline void ghcomp_made_goes_on(struct thread *self)
{
  self->member->task->flags |= TASK_GOES_ON;
}

/* The current task is cancelled, and its body does not run.  */
static inline void ghcomp_made_skip(struct thread *self)
{
  self->member->task->fn = NULL;
}

/* Calls the body of the current task, and again while it goes on.  False: it has yielded, and the
   function that called this will be called again, perhaps by another thread.  Never so in an undeferred task.  */
bool ghcomp_made_parts(struct thread *self, void (*part)(void *), void *block);

/* The parts after one that somebody else has called.  */
static inline void ghcomp_made_rest(struct thread *self, void (*part)(void *), void *block)
{
  if (unlikely((self->member->task->flags & TASK_GOES_ON) != 0))
    ghcomp_made_parts(self, part, block);
}

#endif
