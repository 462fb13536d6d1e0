/* Dependences among the children of one task: the table.  See depend.md.

   Only the parent's thread creates children, so the table (address -> the nodes that named it last)
   needs no lock.  */
#include "task/depend.h"

#include "base/memory.h"
#include "state/thread.h"

#include <string.h>

/* Kinds, with the numbers of the compiler's omp_depend_t objects.  */
enum depend_kind { DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_INOUT = 3, DEPEND_MUTEX = 4,
                   DEPEND_INOUTSET = 5 };

struct group {
  struct depend_node **nodes;
  unsigned count, capacity;
};

struct depend_entry {
  const void *address;
  struct depend_entry *next;
  unsigned kind; /* of the current group */
  struct group before, current;
};

struct depend_table {
  struct depend_entry **buckets;
  unsigned bucket_count, entry_count;
  struct depend_node *everything; /* the last omp_all_memory task */
};

/* ---------------------------------------------------------------------- groups */

static void group_clear(struct group *group)
{
  for (unsigned i = 0; i < group->count; i++)
    ghcomp_depend_node_drop(group->nodes[i]);
  group->count = 0;
}

static void group_free(struct group *group)
{
  group_clear(group);
  ghcomp_memory_release(group->nodes);
}

/* Drops complete nodes, so that a long run of readers does not grow.  */
static void group_prune(struct group *group)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < group->count; i++) {
    if (ghcomp_depend_node_is_complete(group->nodes[i]))
      ghcomp_depend_node_drop(group->nodes[i]);
    else
      group->nodes[kept++] = group->nodes[i];
  }
  group->count = kept;
}

/* `own`: see ghcomp_depend_node_hold.  */
static void group_add(struct group *group, struct depend_node *node, bool own)
{
  if (group->count == group->capacity)
    group_prune(group);
  if (group->count == group->capacity) {
    unsigned capacity = group->capacity == 0 ? 2 : group->capacity * 2;
    struct depend_node **nodes = ghcomp_memory_get(capacity * sizeof *nodes);
    if (group->count != 0)
      memcpy(nodes, group->nodes, group->count * sizeof *nodes);
    ghcomp_memory_release(group->nodes);
    group->nodes = nodes;
    group->capacity = capacity;
  }
  ghcomp_depend_node_hold(node, own);
  group->nodes[group->count++] = node;
}

static void add_edges(const struct group *group, struct depend_node *node)
{
  for (unsigned i = 0; i < group->count; i++)
    ghcomp_depend_node_order(group->nodes[i], node);
}

/* --------------------------------------------------------------------- entries */

static unsigned bucket_of(const struct depend_table *table, const void *address)
{
  uint64_t x = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;
  return (unsigned)(x >> 40) & (table->bucket_count - 1);
}

static struct depend_table *make_table(void)
{
  struct depend_table *table = ghcomp_memory_get_zero(sizeof *table);
  table->bucket_count = 16;
  table->buckets = ghcomp_memory_get_zero(table->bucket_count * sizeof *table->buckets);
  return table;
}

static void rehash(struct depend_table *table)
{
  struct depend_entry **old = table->buckets;
  unsigned old_count = table->bucket_count;
  table->bucket_count *= 4;
  table->buckets = ghcomp_memory_get_zero(table->bucket_count * sizeof *table->buckets);
  for (unsigned i = 0; i < old_count; i++) {
    for (struct depend_entry *e = old[i], *next; e != NULL; e = next) {
      next = e->next;
      struct depend_entry **bucket = &table->buckets[bucket_of(table, e->address)];
      e->next = *bucket;
      *bucket = e;
    }
  }
  ghcomp_memory_release(old);
}

static struct depend_entry *find_entry(struct depend_table *table, const void *address)
{
  for (struct depend_entry *e = table->buckets[bucket_of(table, address)]; e; e = e->next)
    if (e->address == address)
      return e;
  return NULL;
}

static bool is_history(struct depend_entry *entry)
{
  group_prune(&entry->before);
  group_prune(&entry->current);
  return entry->before.count == 0 && entry->current.count == 0;
}

static void drop_entry(struct depend_table *table, struct depend_entry *entry)
{
  group_free(&entry->before);
  group_free(&entry->current);
  ghcomp_memory_release(entry);
  table->entry_count--;
}

/* Drops the entries of addresses that only complete tasks have named.  */
static void forget_history(struct depend_table *table)
{
  for (unsigned i = 0; i < table->bucket_count; i++)
    for (struct depend_entry **link = &table->buckets[i]; *link != NULL;) {
      struct depend_entry *entry = *link;
      if (!is_history(entry)) {
        link = &entry->next;
        continue;
      }
      *link = entry->next;
      drop_entry(table, entry);
    }
}

/* A full table first forgets old entries, and grows only if more than half of it is needed.  So
   each entry is looked at only a few times.  */
static void make_room(struct depend_table *table)
{
  if (table->entry_count < table->bucket_count * 2)
    return;
  forget_history(table);
  if (table->entry_count > table->bucket_count)
    rehash(table);
}

static struct depend_entry *make_entry(struct depend_table *table, const void *address)
{
  make_room(table);
  table->entry_count++;
  struct depend_entry *entry = ghcomp_memory_get_zero(sizeof *entry);
  struct depend_entry **bucket = &table->buckets[bucket_of(table, address)];
  entry->address = address;
  entry->next = *bucket;
  *bucket = entry;
  if (table->everything != NULL) {
    entry->kind = DEPEND_INOUT;
    group_add(&entry->current, table->everything, false);
  }
  return entry;
}

static void drop_entries(struct depend_table *table)
{
  for (unsigned i = 0; i < table->bucket_count; i++) {
    for (struct depend_entry *e = table->buckets[i], *next; e != NULL; e = next) {
      next = e->next;
      drop_entry(table, e);
    }
    table->buckets[i] = NULL;
  }
}

void ghcomp_depend_drop_table(struct depend_table *table)
{
  if (table == NULL)
    return;
  drop_entries(table);
  ghcomp_depend_node_drop(table->everything);
  ghcomp_memory_release(table->buckets);
  ghcomp_memory_release(table);
}

/* ------------------------------------------------------------------ one address */

static bool joins_group(const struct depend_entry *entry, unsigned kind)
{
  return entry->kind == kind && (kind == DEPEND_IN || kind == DEPEND_INOUTSET);
}

/* The node has named the address before, in the same construct: it leaves the current group for a
   stronger kind.  */
static void leave_group(struct depend_entry *entry, struct depend_node *node)
{
  struct group *current = &entry->current;
  if (current->count != 0 && current->nodes[current->count - 1] == node) {
    current->count--;
    ghcomp_depend_node_drop(node);
  }
}

static void order_behind(struct depend_entry *entry, struct depend_node *node, unsigned kind)
{
  bool joins = joins_group(entry, kind);
  if (joins || entry->current.count == 0)
    add_edges(&entry->before, node);
  if (!joins)
    add_edges(&entry->current, node);
}

static void enter_entry(struct depend_table *table, struct depend_node *node,
                        const void *address, unsigned kind)
{
  struct depend_entry *entry = find_entry(table, address);
  if (entry == NULL)
    entry = make_entry(table, address);
  struct group *current = &entry->current;
  bool again = current->count != 0 && current->nodes[current->count - 1] == node;
  if (again && (entry->kind == kind || (entry->kind != DEPEND_IN && entry->kind != DEPEND_INOUTSET)))
    return;
  if (again) {
    leave_group(entry, node);
    kind = DEPEND_INOUT;
  }
  order_behind(entry, node, kind);
  if (!joins_group(entry, kind) || current->count == 0) {
    if (current->count != 0) { /* the node waits for the current group, so the old one is not
                                  needed */
      struct group old = entry->before;
      entry->before = *current;
      *current = old;
      group_clear(current);
    }
    entry->kind = kind;
  }
  group_add(current, node, true);
}

static void order_behind_everything(struct depend_table *table, struct depend_node *node)
{
  for (unsigned i = 0; i < table->bucket_count; i++)
    for (struct depend_entry *e = table->buckets[i]; e != NULL; e = e->next) {
      add_edges(&e->before, node);
      add_edges(&e->current, node);
    }
  if (table->everything != NULL)
    ghcomp_depend_node_order(table->everything, node);
}

static void enter_everything(struct depend_table *table, struct depend_node *node)
{
  order_behind_everything(table, node);
  drop_entries(table);
  ghcomp_depend_node_drop(table->everything);
  ghcomp_depend_node_hold(node, true);
  table->everything = node;
}

/* ------------------------------------------------------------ the compiler's array */

typedef void (*visit)(struct depend_table *, struct depend_node *, const void *, unsigned);

static void visit_one(visit f, struct depend_table *table, struct depend_node *node,
                      void *address, unsigned kind)
{
  if (kind == DEPEND_OUT || kind == DEPEND_MUTEX)
    kind = DEPEND_INOUT;
  f(table, node, address, kind);
}

/* Two layouts: [n, out…, addresses] of OpenMP 4, and [0, n, out, mutexinoutset,
   in, addresses, objects] of 5.  An omp_depend_t is {address, kind}.  */
static void visit_array(visit f, struct depend_table *table, struct depend_node *node,
                        void **depend)
{
  uintptr_t total = (uintptr_t)depend[0], out, mutex = 0, in;
  void **list = depend + 2;
  if (total != 0) {
    out = (uintptr_t)depend[1];
    in = total - out;
  } else {
    total = (uintptr_t)depend[1];
    out = (uintptr_t)depend[2];
    mutex = (uintptr_t)depend[3];
    in = (uintptr_t)depend[4];
    list = depend + 5;
  }
  for (uintptr_t i = 0; i < total; i++) {
    if (i < out + mutex) {
      visit_one(f, table, node, list[i], DEPEND_INOUT);
    } else if (i < out + mutex + in) {
      visit_one(f, table, node, list[i], DEPEND_IN);
    } else {
      void **object = list[i];
      visit_one(f, table, node, object[0], (unsigned)(uintptr_t)object[1]);
    }
  }
}

static void enter(struct depend_table *table, struct depend_node *node, const void *address,
                  unsigned kind)
{
  if (address == NULL) /* omp_all_memory */
    enter_everything(table, node);
  else if (table->everything != node)
    enter_entry(table, node, address, kind);
}

static void look(struct depend_table *table, struct depend_node *node, const void *address,
                 unsigned kind)
{
  if (address == NULL) {
    order_behind_everything(table, node);
    return;
  }
  struct depend_entry *entry = find_entry(table, address);
  if (entry != NULL)
    order_behind(entry, node, kind);
  else if (table->everything != NULL)
    ghcomp_depend_node_order(table->everything, node);
}

bool ghcomp_depend_register(struct thread *self, struct task *task, void **depend)
{
  struct task *parent = self->member->task;
  if (parent->child_dependences == NULL) {
    parent->child_dependences = make_table();
    parent->has_rare_fields = true;
  }
  struct depend_node *node = task->node = ghcomp_depend_node_make(self, task);
  visit_array(enter, parent->child_dependences, node, depend);
  return ghcomp_depend_node_registered(node);
}

struct depend_node *ghcomp_depend_predecessors(struct thread *self, void **depend)
{
  struct depend_table *table = self->member->task->child_dependences;
  if (table == NULL)
    return NULL;
  struct depend_node *node = ghcomp_depend_node_make(self, NULL);
  visit_array(look, table, node, depend);
  ghcomp_depend_node_registered(node);
  return node;
}
