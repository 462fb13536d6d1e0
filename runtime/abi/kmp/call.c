/* Calls with as many arguments as a region has words.  C has no such call; so there is one with 4 (all are
   in registers on x86-64), one with CALL_WORDS, one with 16, and so on.  */
#include "abi/kmp/call.h"

#include "base/message.h"

enum { MOST = 1024 };

#define W1(n) w[n]
#define W4(n) W1(n), W1(n + 1), W1(n + 2), W1(n + 3)
#define W12(n) W4(n), W4(n + 4), W4(n + 8)
#define W16(n) W4(n), W4(n + 4), W4(n + 8), W4(n + 12)
#define W64(n) W16(n), W16(n + 16), W16(n + 32), W16(n + 48)
#define W256(n) W64(n), W64(n + 64), W64(n + 128), W64(n + 192)
#define W1024(n) W256(n), W256(n + 256), W256(n + 512), W256(n + 768)

unsigned ghcomp_call_room(unsigned count)
{
  unsigned room = 16;
  while (room < count)
    room *= 4;
  if (room > MOST)
    ghcomp_message_fatal("a region has %u captured variables; at most %u can be handed to its threads, so the "
                         "program ends here (put some of them into one struct)", count, MOST);
  return room;
}

static __attribute__((noinline)) void run_many(const struct member_call *call, const int32_t *gtid,
                                               const int32_t *bound)
{
  void **w = call->many;
  if (call->count <= 16)
    call->body(gtid, bound, W16(0));
  else if (call->count <= 64)
    call->body(gtid, bound, W64(0));
  else if (call->count <= 256)
    call->body(gtid, bound, W256(0));
  else
    call->body(gtid, bound, W1024(0));
}

void ghcomp_call_run(void *argument)
{
  _Static_assert(CALL_WORDS == 12, "the second call hands over as many");
  const struct member_call *call = argument;
  const struct thread *self = ghcomp_self();
  const int32_t *gtid = (const int32_t *)&self->global_number;
  const int32_t *bound = (const int32_t *)&self->member->number;
  void *const *w = call->words;
  if (likely(call->count <= 4))
    call->body(gtid, bound, W4(0));
  else if (call->count <= CALL_WORDS)
    call->body(gtid, bound, W12(0));
  else
    run_many(call, gtid, bound);
}
