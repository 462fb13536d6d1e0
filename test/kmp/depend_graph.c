/* The graph of dependences, as __kmpc_task_get_depnode and __kmpc_task_get_successors show it (LLVM 19): each
   successor once, however many addresses order it; nothing without a depend clause, and nothing once the
   successors are complete.  Called directly: compilers do not emit these calls.  */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

struct record {
  intptr_t address;
  size_t length;
  uint8_t flags;
};
enum { IN = 1, OUT = 2, INOUTSET = 8, TIED = 1, DETACHABLE = 0x40 };
struct block {
  void *shareds;
  int32_t (*routine)(int32_t, struct block *);
  int32_t part;
  void *data1, *data2;
};
struct node;
struct edge {
  struct node *node;
  struct edge *next;
};
struct node {
  struct edge *successors;
};
struct block *__kmpc_omp_task_alloc(void *, int32_t, int32_t, size_t, size_t, int32_t (*)(int32_t, struct block *));
int32_t __kmpc_omp_task_with_deps(void *, int32_t, struct block *, int32_t, struct record *, int32_t, struct record *);
int32_t __kmpc_global_thread_num(void *);
omp_event_handle_t __kmpc_task_allow_completion_event(void *, int32_t, struct block *);
__attribute__((weak)) struct node *__kmpc_task_get_depnode(struct block *);
__attribute__((weak)) struct edge *__kmpc_task_get_successors(struct block *);

enum { ADDRESSES = 6, TASKS = 9 };
static int wrong;
static char data[ADDRESSES];

static void check(int good, const char *what)
{
  if (!good) {
    printf("wrong: %s\n", what);
    wrong++;
  }
}

static _Atomic int finished;

static int32_t body(int32_t gtid, struct block *block)
{
  (void)gtid, (void)block;
  finished++;
  return 0;
}

/* `event`: the task is not complete before it is fulfilled.  */
static struct block *make(int flags, int count, omp_event_handle_t *event)
{
  int32_t gtid = __kmpc_global_thread_num(NULL);
  struct record records[ADDRESSES];
  struct block *block = __kmpc_omp_task_alloc(NULL, gtid, event == NULL ? TIED : TIED | DETACHABLE, sizeof *block, 0,
                                              body);
  if (event != NULL)
    *event = __kmpc_task_allow_completion_event(NULL, gtid, block);
  for (int i = 0; i < count; i++)
    records[i] = (struct record){(intptr_t)&data[i], 1, (uint8_t)flags};
  __kmpc_omp_task_with_deps(NULL, gtid, block, count, records, 0, NULL);
  return block;
}

static int edges_to(struct edge *edge, struct node *node)
{
  int found = 0;
  for (; edge != NULL; edge = edge->next)
    found += edge->node == node;
  return found;
}

static int length(struct edge *edge)
{
  int n = 0;
  for (; edge != NULL; edge = edge->next)
    n++;
  return n;
}

/* Readers or members of a set behind one writer, then another writer behind all of them.  */
static void show(int middle)
{
  struct block *tasks[TASKS];
  omp_event_handle_t event; /* holds the first task back, so the graph stays while it is read */
  finished = 0;
  tasks[0] = make(OUT, ADDRESSES, &event);
  check(length(__kmpc_task_get_successors(tasks[0])) == 0, "a task that is alone has no successor");
  for (int i = 1; i + 1 < TASKS; i++)
    tasks[i] = make(middle, i % ADDRESSES + 1, NULL);
  tasks[TASKS - 1] = make(OUT, ADDRESSES, NULL);
  struct edge *first = __kmpc_task_get_successors(tasks[0]);
  check(__kmpc_task_get_depnode(tasks[0])->successors == first, "a node begins with its successors");
  check(edges_to(first, __kmpc_task_get_depnode(tasks[TASKS - 1])) <= 1, "at most one edge to the last");
  for (int i = 1; i + 1 < TASKS; i++) {
    check(edges_to(first, __kmpc_task_get_depnode(tasks[i])) == 1, "one edge from the first");
    struct edge *own = __kmpc_task_get_successors(tasks[i]);
    check(length(own) == 1 && own->node == __kmpc_task_get_depnode(tasks[TASKS - 1]), "one edge to the last");
  }
  omp_fulfill_event(event);
#pragma omp taskwait
  check(finished == TASKS, "all tasks ran");
}

static void without_dependences(void)
{
  int32_t gtid = __kmpc_global_thread_num(NULL);
  struct block *block = __kmpc_omp_task_alloc(NULL, gtid, TIED, sizeof *block, 0, body);
  check(__kmpc_task_get_depnode(block) == NULL, "a task without dependences has no node");
  check(__kmpc_task_get_successors(block) == NULL, "and no successors");
  __kmpc_omp_task_with_deps(NULL, gtid, block, 0, NULL, 0, NULL);
#pragma omp taskwait
}

int main(void)
{
  if (__kmpc_task_get_depnode == NULL) {
    puts("this library does not show the graph");
    return 0;
  }
  for (int threads = 1; threads <= 4; threads++) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 50; round++) {
      show(IN);
      show(INOUTSET);
      without_dependences();
    }
  }
  puts(wrong == 0 ? "good" : "bad");
  return wrong != 0;
}
