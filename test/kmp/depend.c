/* Dependences in Clang's code: every kind, the same address twice, iterators.  Direct calls test what
   Clang 14 does not emit: inoutset, all memory, taskwait with nowait (5.2, 15.9.5).  */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

struct record {
  intptr_t address;
  size_t length;
  uint8_t flags;
};
enum { IN = 1, INOUT = 3, MUTEXINOUTSET = 4, INOUTSET = 8, ALL_MEMORY = 0x80, TIED = 1 };
struct block {
  void *shareds;
  int32_t (*routine)(int32_t, struct block *);
  int32_t part;
  void *data1, *data2;
  int *value;
  int kind;
};
struct block *__kmpc_omp_task_alloc(void *, int32_t, int32_t, size_t, size_t, int32_t (*)(int32_t, struct block *));
int32_t __kmpc_omp_task_with_deps(void *, int32_t, struct block *, int32_t, struct record *, int32_t, struct record *);
__attribute__((weak)) void __kmpc_omp_taskwait_deps_51(void *, int32_t, int32_t, struct record *, int32_t,
                                                       struct record *, int32_t);
void __kmpc_omp_wait_deps(void *, int32_t, int32_t, struct record *, int32_t, struct record *);
int32_t __kmpc_global_thread_num(void *);

static int wrong;

static void check(int good)
{
  if (!good) {
#pragma omp atomic
    wrong++;
  }
}

static void kinds(void)
{
  int value = 0, set = 0, other = 0;
  for (int i = 1; i <= 40; i++) {
#pragma omp task depend(inout : value) shared(value)
    value++;
    for (int r = 0; r < 4; r++) {
#pragma omp task depend(in : value) depend(mutexinoutset : set) shared(value, set) firstprivate(i)
      {
        check(value == i);
        set++;
      }
    }
#pragma omp task depend(in : value) depend(out : value) depend(in : other) shared(value) firstprivate(i)
    check(value == i);
  }
#pragma omp taskwait depend(in : set)
  check(set == 160);
#pragma omp taskwait
  check(value == 40);
}

static void more_than_fit(void)
{
  enum { MANY = 100 };
  static int values[MANY], before;
  before = 0;
  for (int i = 0; i < MANY; i++)
    values[i] = 0;
  for (int i = 0; i < MANY; i++) {
#pragma omp task depend(out : values[i]) firstprivate(i)
    values[i] = 1;
  }
#pragma omp task depend(iterator(int k = 0 : MANY), in : values[k])
  for (int i = 0; i < MANY; i++)
    before += values[i];
#pragma omp taskwait
  check(before == MANY);
}

/* Writers run one by one; members of a set see what came before, and the next task sees all of them.  */
static int32_t body(int32_t gtid, struct block *b)
{
  (void)gtid;
  if (b->kind == INOUTSET) {
    check(*b->value % 1000 == 0 || *b->value % 1000 < 8);
#pragma omp atomic
    ++*b->value;
  } else {
    check(*b->value % 1000 == 0 || *b->value % 1000 == 8);
    *b->value = *b->value / 1000 * 1000 + 1000;
  }
  return 0;
}

static void submit(int *value, int kind, struct record *records, int count)
{
  struct block *block = __kmpc_omp_task_alloc(NULL, __kmpc_global_thread_num(NULL), TIED, sizeof *block, 0, body);
  block->value = value;
  block->kind = kind;
  __kmpc_omp_task_with_deps(NULL, 0, block, count, records, 0, NULL);
}

static void sets(void)
{
  int value = 0;
  struct record one = {(intptr_t)&value, 4, INOUT}, set = {(intptr_t)&value, 4, INOUTSET};
  struct record none = {0, 0, INOUT}, all = {-1, 0, ALL_MEMORY}, twice[2] = {one, one};
  for (int i = 0; i < 20; i++) {
    struct record writers[] = {one, all, one, twice[0]};
    for (int k = 0; k < 8; k++)
      submit(&value, INOUTSET, &set, 1);
    submit(&value, INOUT, i % 4 == 3 ? twice : &writers[i % 4], i % 4 == 3 ? 2 : 1);
  }
  submit(&(int){0}, INOUT, &none, 1); /* address 0 does not mean all memory */
  if (__kmpc_omp_taskwait_deps_51 != NULL) {
    __kmpc_omp_taskwait_deps_51(NULL, 0, 1, &one, 0, NULL, 1); /* nowait only orders tasks */
    __kmpc_omp_taskwait_deps_51(NULL, 0, 1, &one, 0, NULL, 0);
  } else
    __kmpc_omp_wait_deps(NULL, 0, 1, &one, 0, NULL);
  check(value == 20000);
#pragma omp taskwait
}

int main(void)
{
  for (int r = 0; r < 30; r++) {
#pragma omp parallel num_threads(1 + r % 4)
    {
#pragma omp single
      kinds();
#pragma omp single
      more_than_fit();
#pragma omp single
      sets();
    }
  }
  if (wrong != 0)
    printf("%d wrong\n", wrong);
  return wrong != 0;
}
