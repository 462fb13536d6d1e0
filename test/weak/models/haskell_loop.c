/* Two Haskell loops of one context.  A helper enters, or arrives too late.  Each chunk is executed
   once.  The caller sleeps until no helper is inside, and sees what the helper did.
   code: cbits/Loop.c cbits/LoopAlone.c cbits/LoopChunks.c cbits/LoopWatch.c.  */
#include "loop_context.h"

enum { ITERATIONS = 2, LOOPS = 2 };
unsigned weak_threads = 2;
static struct loop_context *context;
static int executed[ITERATIONS], *job;
static void (*board)(void); /* the last helper to leave calls it; the caller writes it before it sleeps */

int64_t ghcomp_loop_describe(struct loop_context *, int64_t, int64_t, int, unsigned);
void ghcomp_loop_admit(struct loop_context *);
int ghcomp_loop_open(struct loop_context *);
struct loop_worker *ghcomp_loop_enter(struct loop_context *);
HsBool ghcomp_loop_leave(struct loop_worker *);
int64_t ghcomp_loop_next(struct loop_worker *);
uint32_t ghcomp_loop_close(struct loop_context *);
uint32_t ghcomp_loop_will_sleep(struct loop_context *);

unsigned ghcomp_loop_call_helpers(struct loop_context *of, unsigned wanted)
{
  (void)of, (void)wanted;
  return 0;
}

void weak_setup(void)
{
  make_members(2);
  context = make_loop_context(2);
}

static void draw(struct loop_worker *worker)
{
  for (int64_t i; (i = ghcomp_loop_next(worker)) >= 0;)
    job[i]++;
}

static void loop(void)
{
  job = executed;
  ghcomp_loop_describe(context, ITERATIONS, 1, WHOLE_PARTS, 2);
  weak_assert((ghcomp_loop_open(context) & 1) == 0);
  ghcomp_loop_admit(context);
  draw(&context->worker[0]);
  if (ghcomp_loop_close(context) != 0) {
    board = ring;
    if (ghcomp_loop_will_sleep(context) != 0)
      await_ring();
  }
  for (int i = 0; i < ITERATIONS; i++)
    weak_assert(executed[i]-- == 1);
  job = NULL;
}

void weak_thread(unsigned number)
{
  be(number);
  if (number == 0) {
    for (int i = 0; i < LOOPS; i++)
      loop();
    return;
  }
  struct loop_worker *worker = ghcomp_loop_enter(context);
  if (worker == NULL)
    return;
  draw(worker);
  if (ghcomp_loop_leave(worker))
    board();
}

void weak_end(void)
{
}
