/* How long a call from C into a Haskell function waited for a Capability.

   GHC's own stub waits before any code of this package runs.  So C gets another pointer: an entry
   that records the time and jumps to GHC's function, with all arguments in place.  The Haskell
   function begins on the same thread.  The time since then is the wait, and the tenth of a
   microsecond that the call itself takes.

   Invariant: the target of a free entry is NULL.  The thread that changes it by compare-and-swap
   owns the entry until it gives the entry back.  Relaxed: a thread that calls an entry, or gives it
   back, has received the pointer from its owner, and so sees what the entry contains.  */
#include "base/atomics.h"
#include "base/cycles.h"
#include "base/stats.h"
#include "state/thread.h"
#include "team/thread.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __x86_64__

/* This many functions at once are timed; calls of further ones are not timed.  Entries are ENTRY
   bytes long.  */
#define ENTRIES 256
#define ENTRY 16
#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

static _Atomic(void *) targets[ENTRIES];

extern char ghcomp_callback_entries[] __attribute__((visibility("hidden")));

__attribute__((used, visibility("hidden"))) void *ghcomp_callback_called(unsigned entry)
{
  ghcomp_self()->haskell_called_at = cycles_now();
  return load_relaxed(&targets[entry]);
}

/* r11 is free here.  Registers that may hold arguments are saved: the integer and the vector
   registers, rax (the number of vector registers, for "...") and r10.  Arguments on the stack stay
   where they are.  */
__asm__(".text\n"
        "  .balign 16\n"
        "  .hidden ghcomp_callback_entries\n"
        "  .globl ghcomp_callback_entries\n"
        "  .type ghcomp_callback_entries, @function\n"
        "ghcomp_callback_entries:\n"
        "  .cfi_startproc\n"
        "  .set .Lnumber, 0\n"
        "  .rept " TEXT(ENTRIES) "\n"
        "  .balign " TEXT(ENTRY) "\n"
        "  endbr64\n"
        "  movl $.Lnumber, %r11d\n"
        "  jmp .Lnoted\n"
        "  .set .Lnumber, .Lnumber + 1\n"
        "  .endr\n"
        ".Lnoted:\n"
        "  pushq %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        "  .cfi_def_cfa_register %rbp\n"
        "  subq $192, %rsp\n"
        "  movq %rdi, (%rsp)\n"
        "  movq %rsi, 8(%rsp)\n"
        "  movq %rdx, 16(%rsp)\n"
        "  movq %rcx, 24(%rsp)\n"
        "  movq %r8, 32(%rsp)\n"
        "  movq %r9, 40(%rsp)\n"
        "  movq %rax, 48(%rsp)\n"
        "  movq %r10, 56(%rsp)\n"
        "  movaps %xmm0, 64(%rsp)\n"
        "  movaps %xmm1, 80(%rsp)\n"
        "  movaps %xmm2, 96(%rsp)\n"
        "  movaps %xmm3, 112(%rsp)\n"
        "  movaps %xmm4, 128(%rsp)\n"
        "  movaps %xmm5, 144(%rsp)\n"
        "  movaps %xmm6, 160(%rsp)\n"
        "  movaps %xmm7, 176(%rsp)\n"
        "  movl %r11d, %edi\n"
        "  call ghcomp_callback_called\n"
        "  movq %rax, %r11\n"
        "  movq (%rsp), %rdi\n"
        "  movq 8(%rsp), %rsi\n"
        "  movq 16(%rsp), %rdx\n"
        "  movq 24(%rsp), %rcx\n"
        "  movq 32(%rsp), %r8\n"
        "  movq 40(%rsp), %r9\n"
        "  movq 48(%rsp), %rax\n"
        "  movq 56(%rsp), %r10\n"
        "  movaps 64(%rsp), %xmm0\n"
        "  movaps 80(%rsp), %xmm1\n"
        "  movaps 96(%rsp), %xmm2\n"
        "  movaps 112(%rsp), %xmm3\n"
        "  movaps 128(%rsp), %xmm4\n"
        "  movaps 144(%rsp), %xmm5\n"
        "  movaps 160(%rsp), %xmm6\n"
        "  movaps 176(%rsp), %xmm7\n"
        "  leave\n"
        "  .cfi_restore %rbp\n"
        "  .cfi_def_cfa %rsp, 8\n"
        "  jmp *%r11\n"
        "  .cfi_endproc\n"
        "  .size ghcomp_callback_entries, . - ghcomp_callback_entries\n");

static void *take_entry(void *function)
{
  for (unsigned i = 0; i < ENTRIES; i++) {
    void *nobody = NULL;
    if (load_relaxed(&targets[i]) == NULL && cas_relaxed(&targets[i], &nobody, function))
      return ghcomp_callback_entries + (size_t)i * ENTRY;
  }
  return function;
}

static void *give_back(void *pointer)
{
  uintptr_t offset = (uintptr_t)pointer - (uintptr_t)ghcomp_callback_entries;
  return offset < ENTRIES * ENTRY ? swap_relaxed(&targets[offset / ENTRY], NULL) : pointer;
}

#else

static void *take_entry(void *function)
{
  return function;
}

static void *give_back(void *pointer)
{
  return pointer;
}

#endif

/* Haskell code calls these functions; the last one also from code that was inlined into another
   library.  */
#pragma GCC visibility push(default)

/* Another pointer for a Haskell function that C will call; or the same pointer, if no entry is
   free.
   Cost: a look at each entry that is in use; each call through the entry takes about 10 ns
   longer.  */
void *ghcomp_callback_entry(void *function)
{
  return take_entry(function);
}

/* Gives the entry back: it is not called any more.  Returns the function, which may be freed.  */
void *ghcomp_callback_function(void *pointer)
{
  return give_back(pointer);
}

/* The Haskell function begins.  */
void ghcomp_callback_begin(void)
{
  struct thread *self = ghcomp_self();
  ghcomp_count(&self->waiter.counters, STAT_CALLBACKS);
  if (self->haskell_called_at != 0) /* the call came through an entry */
    ghcomp_count_more(&self->waiter.counters, STAT_CALLBACK_WAIT_NS, cycles_now() - self->haskell_called_at);
  self->haskell_called_at = 0;
}

#pragma GCC visibility pop
