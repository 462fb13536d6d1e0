/* The stacks on which masters run.  */
#include <sys/mman.h>
#include <ucontext.h>

struct stack_kind {
  int thread, fiber;
  size_t bytes;
};

static void read_stack(struct stack_kind *kind, const char *word)
{
  const char *size = strchr(word, ':');
  kind->thread = strncmp(word, "thread", 6) == 0;
  kind->fiber = strncmp(word, "fiber", 5) == 0;
  kind->bytes = size == NULL ? 0 : (size_t)atol(size + 1) << 10;
}

static void start_thread(pthread_t *thread, const struct stack_kind *kind, void *(*run)(void *), void *argument)
{
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (kind->thread)
    same("stack size", pthread_attr_setstacksize(&attributes, kind->bytes), 0);
  same("native thread", pthread_create(thread, &attributes, run, argument), 0);
  pthread_attr_destroy(&attributes);
}

/* A fiber is not interrupted by another one inside of a region.  */
struct fiber {
  ucontext_t self, back;
  void (*run)(void *);
  void *argument;
};

static void be_fiber(unsigned low, unsigned high)
{
  struct fiber *fiber = (struct fiber *)((uintptr_t)high << 32 | low);
  fiber->run(fiber->argument);
}

enum { GUARD = 256 << 10 };

static void run_on_stack(const struct stack_kind *kind, void (*run)(void *), void *argument)
{
  if (!kind->fiber) {
    run(argument);
    return;
  }
  struct fiber fiber = {.run = run, .argument = argument};
  char *memory = mmap(NULL, GUARD + kind->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  same("memory for a fiber", memory == MAP_FAILED || mprotect(memory, GUARD, PROT_NONE) != 0, 0);
  getcontext(&fiber.self);
  fiber.self.uc_stack.ss_sp = memory + GUARD;
  fiber.self.uc_stack.ss_size = kind->bytes;
  fiber.self.uc_link = &fiber.back;
  uintptr_t here = (uintptr_t)&fiber;
  makecontext(&fiber.self, (void (*)(void))be_fiber, 2, (unsigned)here, (unsigned)(here >> 32));
  swapcontext(&fiber.back, &fiber.self);
  munmap(memory, GUARD + kind->bytes);
}
