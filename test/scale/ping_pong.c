/* usage: ping_pong PARTNER     the round trip between processor 0 and another one, in ns */
#include "together.h"

enum { ROUNDS = 100, WARM = 4 };
static _Alignas(128) _Atomic unsigned word;
static long partner;

static void look_for(unsigned value)
{
  while (atomic_load_explicit(&word, memory_order_acquire) != value)
    __builtin_ia32_pause();
}

static void *play(void *number)
{
  bool first = number == NULL;
  double began = 0;
  if (!first && (long)number != partner)
    return NULL;
  wait_until(BEGIN);
  for (unsigned r = 0; r < WARM + ROUNDS; r++) {
    look_for(2 * r + !first);
    if (first && r == WARM) {
      scale_begin();
      began = scale_now();
    }
    atomic_fetch_add(&word, 1);
  }
  if (first) {
    look_for(2 * (WARM + ROUNDS));
    printf("%.4f\n", (scale_now() - began) / ROUNDS);
    scale_end("ping_pong", ROUNDS);
  }
  return NULL;
}

int main(int count, char **arguments)
{
  partner = count > 1 ? atol(arguments[1]) : 1;
  scale_count_program(1);
  run_together((int)partner + 1, play);
  return 0;
}
