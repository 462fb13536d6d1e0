/* The body of a parallel or teams region: a function of two numbers' addresses and any number of words.
   Each captured variable is a word: an address, or a value widened to 64 bits.

   A member keeps the call of the region that it starts (struct member_call).  Its regions follow one another, so
   workers have read one call when the next is written.  Only what has changed is written: in a loop around a region
   the words are mostly the same, and the lines stay in the workers' caches.  On the master's stack they would be
   transferred for each region.  */
#ifndef GHCOMP_ABI_KMP_CALL_H
#define GHCOMP_ABI_KMP_CALL_H

#include "abi/kmp/kmp.h"

#include <stdarg.h>

/* The thread's number, and its number in the team.  */
typedef void kmp_body(const int32_t *gtid, const int32_t *bound, ...);

/* Words that a call with more than CALL_WORDS reads: it hands over some more than the body takes, which both
   x86-64's and AArch64's calling conventions allow, because the caller makes the room and clears it.  */
unsigned ghcomp_call_room(unsigned count);

/* Runs the body as the current member of the team.  The argument is a struct member_call: a team runs
   functions of one pointer.  */
void ghcomp_call_run(void *call);

/* Prepares a call of the member's, or one that is all 0.  */
static inline void ghcomp_call_set(struct member_call *call, kmp_body *body, unsigned count)
{
  if (call->body != body)
    call->body = body;
  if (call->count != count)
    call->count = count;
}

static inline void ghcomp_call_set_word(struct member_call *call, unsigned i, void *word)
{
  if (call->words[i] != word)
    call->words[i] = word;
}

/* `many`: as long as ghcomp_call_room says; not used for CALL_WORDS or fewer.  */
static inline void ghcomp_call_fill(struct member_call *call, kmp_body *body, unsigned count, void **many,
                                    va_list rest)
{
  ghcomp_call_set(call, body, count);
  if (likely(count <= CALL_WORDS)) {
    for (unsigned i = 0; i < count; i++)
      ghcomp_call_set_word(call, i, va_arg(rest, void *));
    return;
  }
  for (unsigned i = 0; i < count; i++)
    many[i] = va_arg(rest, void *);
  call->many = many;
}

#endif
