/* Tasks of both sides in one region share deques, taskwaits, taskgroups, dependences, reductions, events and
   cancellation.
   env: OMP_CANCELLATION=true */
#include "mixed.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

BOTH(long, tree, int depth);
BOTH(void, append, int *value, int expected, int *wrong);
BOTH(void, add, int value);
BOTH(long, product, int others);
BOTH(void, count, int *counter, int times);
BOTH(uintptr_t, detached, int *value);
BOTH(void, fulfill, uintptr_t event);
BOTH(void, stop, int *late);
BOTH(void, groups, void);

extern long mixed_sum, mixed_product;

#ifdef MAIN
long mixed_sum, mixed_product;

static void chain(void)
{
  int value = 0, wrong = 0;
  for (int i = 0; i < 100; i += 2) {
    clang_append(&value, i, &wrong);
    gcc_append(&value, i + 1, &wrong);
  }
#pragma omp taskwait
  CHECK(value == 100 && wrong == 0);
}

/* Only GCC's code knows the initial value of its reduction's copies, so a task of Clang's may not participate: the
   runtime must refuse that with a message.  */
static void refused(void)
{
  int ends[2], status = 0;
  char said[400] = "";
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    _exit(gcc_product(1) == 32 ? 0 : 3);
  }
  close(ends[1]);
  for (size_t length = 0; length < sizeof said - 1;) {
    ssize_t more = read(ends[0], said + length, sizeof said - 1 - length);
    if (more <= 0)
      break;
    length += (size_t)more;
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1);
  CHECK(strstr(said, "in_reduction names 0x") != NULL && strstr(said, "GCC compiled") != NULL);
}

int main(void)
{
  refused();
  CHECK(gcc_product(0) == 32 && clang_product(0) == 32 && clang_product(1) == 32);
  for (int r = 0; r < 40; r++) {
#pragma omp parallel num_threads(1 + r % 4)
    {
#pragma omp single
      CHECK(gcc_tree(8) == 511 && clang_tree(8) == 511);
#pragma omp single
      chain();
#pragma omp single
      gcc_groups();
#pragma omp single
      clang_groups();
    }
  }
  return mixed_wrong != 0;
}
#else
/* One task has children of both sides.  */
long SIDE(tree)(int depth)
{
  long a = 0, b = 0;
  if (depth == 0)
    return 1;
#pragma omp task shared(a) untied
  a = SIDE(tree)(depth - 1);
#pragma omp task shared(b)
  b = OTHER(tree)(depth - 1);
#pragma omp taskwait
  return a + b + 1;
}

void SIDE(append)(int *value, int expected, int *wrong)
{
#pragma omp task depend(inout : *value) firstprivate(value, expected, wrong)
  {
    *wrong += *value != expected;
    ++*value;
  }
}

void SIDE(add)(int value)
{
#pragma omp task in_reduction(+ : mixed_sum) in_reduction(* : mixed_product) firstprivate(value)
  {
    mixed_sum += value;
    if (value % 4 == 0)
      mixed_product *= 2;
  }
}

long SIDE(product)(int others)
{
  mixed_sum = mixed_product = 1;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : mixed_sum) task_reduction(* : mixed_product)
  for (int i = 1; i <= 20; i++) {
    if (others && i % 2 == 0)
      OTHER(add)(i);
    else
      SIDE(add)(i);
  }
  CHECK(mixed_sum == 211);
  return mixed_product;
}

void SIDE(count)(int *counter, int times)
{
#pragma omp taskloop nogroup firstprivate(counter)
  for (int i = 0; i < times; i++) {
#pragma omp atomic
    ++*counter;
  }
}

uintptr_t SIDE(detached)(int *value)
{
  omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : *value)
  {
  }
  return (uintptr_t)event;
}

void SIDE(fulfill)(uintptr_t event)
{
#pragma omp task firstprivate(event)
  omp_fulfill_event((omp_event_handle_t)event);
}

void SIDE(stop)(int *late)
{
#pragma omp task firstprivate(late)
  {
#pragma omp cancel taskgroup
#pragma omp atomic
    ++*late;
  }
}

/* Taskgroups of this side with tasks of both.  */
void SIDE(groups)(void)
{
  int counter = 0, late = 0, value = 0;
#pragma omp taskgroup
  {
    SIDE(count)(&counter, 50);
    OTHER(count)(&counter, 50);
    OTHER(tree)(4);
  }
  CHECK(counter == 100);
#pragma omp task if (0) shared(late)
  {
#pragma omp taskgroup
    {
      OTHER(stop)(&late);
#pragma omp taskwait
      SIDE(count)(&late, 30);
      OTHER(count)(&late, 30);
    }
  }
  uintptr_t event = OTHER(detached)(&value);
  SIDE(append)(&value, 0, &late);
  OTHER(append)(&value, 1, &late);
  SIDE(fulfill)(event);
#pragma omp taskwait
  CHECK(late == 0 && value == 2);
}
#endif
