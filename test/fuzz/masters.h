/* The main program of a file: native threads that run its programs, as the options say.

   OPTION=VALUE... WHICH...: programs with these numbers, in this order.  Each master begins with another one.
     masters=N       threads that run them, with the first thread
     rounds=N        how often; after each round the masters but the first end, and others begin
     stack=KIND:KB   on what stack: main:0 (the default), thread:KB (a native thread of that size), fiber:KB (the program's own)
     disturb=KINDS seed=N   see disturb.h  */
#include "stacks.h"
#include "disturb.h"

typedef void program(void);

struct order {
  program *const *programs;
  int which[64];
  int count, first;
};

static void run_in_order(void *argument)
{
  const struct order *order = argument;
  for (int i = 0; i < order->count; i++) {
    order->programs[order->which[(i + order->first) % order->count]]();
#pragma omp barrier /* waits for tasks that were created outside of any region */
    end_if_cancelled();
  }
}

static struct stack_kind stack_kind;

static void *be_master(void *order)
{
  struct signal_stack stack = let_handlers_run();
  run_on_stack(&stack_kind, run_in_order, order);
  let_no_handlers_run(stack);
  return NULL;
}

static void one_round(const struct order *order, int masters)
{
  pthread_t threads[16];
  struct order own[16];
  for (int i = 0; i < masters; i++) {
    own[i] = *order;
    own[i].first = i;
  }
  int native = stack_kind.thread ? 0 : 1; /* the first of them that is not the first thread */
  let_no_handlers_run((struct signal_stack){NULL});
  for (int i = native; i < masters; i++)
    start_thread(&threads[i], &stack_kind, be_master, &own[i]);
  if (native == 1)
    be_master(&own[0]);
  for (int i = native; i < masters; i++)
    pthread_join(threads[i], NULL);
}

static long peak_kib(void)
{
  long kib = 0;
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "VmHWM: %ld", &kib) == 1)
      break;
  if (file != NULL)
    fclose(file);
  return kib;
}

static long number(const char *word, const char *name, long otherwise)
{
  size_t length = strlen(name);
  return strncmp(word, name, length) == 0 ? atol(word + length) : otherwise;
}

static int run_programs(program *const *programs, int count, char **words)
{
  struct order order = {.programs = programs};
  long masters = 1, rounds = 1, seed = 0;
  const char *kinds = NULL;
  for (int i = 1; i < count; i++) {
    masters = number(words[i], "masters=", masters);
    rounds = number(words[i], "rounds=", rounds);
    seed = number(words[i], "seed=", seed);
    if (strncmp(words[i], "stack=", 6) == 0)
      read_stack(&stack_kind, words[i] + 6);
    if (strncmp(words[i], "disturb=", 8) == 0)
      kinds = words[i] + 8;
    if (strchr(words[i], '=') == NULL)
      order.which[order.count++] = atoi(words[i]);
  }
  if (kinds != NULL)
    begin_disturbing(kinds, (unsigned)seed, run_in_order, &order);
  for (long round = 0; round < rounds || (kinds != NULL && !disturbed_enough()); round++)
    one_round(&order, (int)masters);
  if (kinds != NULL)
    end_disturbing();
  end_kept();
  printf("right, peak %ld KiB\n", peak_kib());
  return 0;
}
