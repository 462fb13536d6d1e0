/* A Haskell loop whose chunks can be stolen.  A helper enters, or arrives too late.  The caller
   executes what the helper does not.  Each chunk is executed once.
   code: cbits/Loop.c cbits/LoopAlone.c cbits/LoopWatch.c cbits/LoopChunks.c.  */
#include "loop_context.h"

enum { CHUNKS = 2 };
unsigned weak_threads = 2, weak_bound = 26;
static struct loop_context *context;
static int executed[CHUNKS];

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
    for (; i < worker->chunk_end; i++)
      executed[i]++;
}

void weak_thread(unsigned number)
{
  be(number);
  if (number == 1) {
    struct loop_worker *worker = ghcomp_loop_enter(context);
    if (worker == NULL)
      return;
    draw(worker);
    if (ghcomp_loop_leave(worker))
      ring();
    return;
  }
  ghcomp_loop_describe(context, CHUNKS, 1, STEALING, 2);
  weak_assert((ghcomp_loop_open(context) & 1) == 0); /* with so few chunks helpers are called at once */
  ghcomp_loop_admit(context);
  draw(&context->worker[0]);
  if (ghcomp_loop_close(context) != 0 && ghcomp_loop_will_sleep(context) != 0)
    await_ring();
  for (int i = 0; i < CHUNKS; i++)
    weak_assert(executed[i] == 1);
}

void weak_end(void)
{
}
