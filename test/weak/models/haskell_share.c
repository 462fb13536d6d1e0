/* Bodies that are promised a thread each.  The caller is alone, and draws them.  A second thread takes the caller's share, and a third
   one takes that of either.  Each body is executed once, and the caller sees at the end what the others did.
   code: cbits/Loop.c cbits/LoopAlone.c cbits/LoopChunks.c cbits/LoopShare.c cbits/LoopWatch.c.  */
#include "loop_context.h"

enum { BODIES = 3, THREADS = 3, SHARE_WORDS = 6 };
unsigned weak_threads = THREADS;
static struct loop_context *context;
static int64_t *share[THREADS]; /* what newShare makes, of each thread */
static int executed[BODIES];
static void (*board)(void); /* the last one to leave calls it; the caller writes it before it sleeps */

int64_t ghcomp_loop_describe(struct loop_context *, int64_t, int64_t, int, unsigned);
int ghcomp_loop_open(struct loop_context *);
HsBool ghcomp_loop_leave(struct loop_worker *);
uint32_t ghcomp_loop_close(struct loop_context *);
uint32_t ghcomp_loop_will_sleep(struct loop_context *);
int ghcomp_loop_take_action(struct loop_worker *, int64_t *, int64_t *);
void ghcomp_loop_begin_actions(int64_t *);
int64_t ghcomp_loop_next_action(struct loop_worker *, int64_t *);
void ghcomp_loop_end_actions(int64_t *);

unsigned ghcomp_loop_call_helpers(struct loop_context *of, unsigned wanted)
{
  (void)of, (void)wanted;
  return 0;
}

void weak_setup(void)
{
  make_members(1);
  context = make_loop_context(1);
  for (unsigned i = 0; i < THREADS; i++)
    share[i] = weak_alloc(SHARE_WORDS * sizeof(int64_t));
}

static void draw(int64_t *own)
{
  struct loop_worker *worker = &context->worker[0];
  int64_t body;
  ghcomp_loop_begin_actions(own);
  while ((body = ghcomp_loop_next_action(worker, own)) >= 0)
    executed[body]++;
  weak_assert(body == -1);
  ghcomp_loop_end_actions(own);
}

static void call(void)
{
  ghcomp_loop_describe(context, BODIES, 2, STEALING, 1);
  weak_assert((ghcomp_loop_open(context) & 1) == 1);
  draw(share[0]);
  if (ghcomp_loop_close(context) != 0) {
    board = ring;
    if (ghcomp_loop_will_sleep(context) != 0)
      await_ring();
  }
  for (int i = 0; i < BODIES; i++)
    weak_assert(executed[i] == 1);
}

static void take(int64_t *old, int64_t *own)
{
  struct loop_worker *worker = &context->worker[0];
  if (ghcomp_loop_take_action(worker, old, own) != 0)
    return;
  draw(own);
  if (ghcomp_loop_leave(worker))
    board();
}

void weak_thread(unsigned number)
{
  if (number == 0) {
    be(0);
    call();
  } else
    take(share[number - 1], share[number]);
}

void weak_end(void)
{
}
