/* The body of a parallel or teams region: a function of two numbers' addresses and any number of words.
   Each captured variable is a word: an address, or a value widened to 64 bits.  */
#ifndef GHCOMP_ABI_KMP_CALL_H
#define GHCOMP_ABI_KMP_CALL_H

#include "abi/kmp/kmp.h"

#include <stdarg.h>

/* The thread's number, and its number in the team.  */
typedef void kmp_body(const int32_t *gtid, const int32_t *bound, ...);

/* `words`: as long as ghcomp_call_room says.  */
struct kmp_call {
  kmp_body *body;
  unsigned count;
  void **words;
};

enum { CALL_LEAST = 4 };
unsigned ghcomp_call_room_for_many(unsigned count);

/* Words that a call of `count` reads: it hands over some more than the body takes, which both
   x86-64's and AArch64's calling conventions allow, because the caller makes the room and clears it.  */
static inline unsigned ghcomp_call_room(unsigned count)
{
  return likely(count <= CALL_LEAST) ? CALL_LEAST : ghcomp_call_room_for_many(count);
}

/* Runs the body as the current member of the team.  The argument is a struct kmp_call: a team runs
   functions of one pointer.  */
void ghcomp_call_run(void *call);

/* The words of a call from the rest of the arguments.  */
static inline void ghcomp_call_fill(struct kmp_call *call, va_list rest)
{
  for (unsigned i = 0; i < call->count; i++)
    call->words[i] = va_arg(rest, void *);
}

#endif
