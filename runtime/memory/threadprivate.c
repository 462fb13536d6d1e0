/* The variables stand in a hash table by their addresses.  A variable's copies are a table by thread number, which
   compiled code keeps a pointer to, in one place or, where several files use the variable, in several.

   Invariant: a copy is in the newest table of its variable, and a thread looks for its own only.  A table that
   became too short stays, because threads may be reading it; each is at least twice as long as the one before.  When a
   thread ends, its copies leave all of them, for its number will be another's.  */
#include "memory/threadprivate.h"

#include "base/message.h"
#include "wait/lock.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BUCKETS = 256, SHORTEST = 16 };

struct variable {
  char *original;
  size_t size;
  void *image;             /* what it held at first; NULL with a constructor, or while no copy was asked for */
  struct threadprivate_kind kind;
  struct threadprivate_copies *copies;
  struct variable *next;
};

static struct variable *buckets[BUCKETS]; /* guarded by lock */
static _Atomic bool used;
OWN_LOCK(lock);

/* Requires: lock.  */
static struct variable *variable_at(char *original)
{
  struct variable **bucket = &buckets[((uintptr_t)original >> 4) % BUCKETS];
  struct variable *v = *bucket;
  while (v != NULL && v->original != original)
    v = v->next;
  if (v != NULL)
    return v;
  v = ghcomp_memory_get_zero(sizeof *v);
  v->original = original;
  v->next = *bucket;
  *bucket = v;
  store_relaxed(&used, true);
  return v;
}

void ghcomp_threadprivate_register(void *original, const struct threadprivate_kind *kind)
{
  ghcomp_lock_own(&lock.word);
  variable_at(original)->kind = *kind;
  ghcomp_unlock_own(&lock.word);
}

static bool has_constructor(const struct threadprivate_kind *kind)
{
  return kind->construct != NULL || kind->construct_from != NULL;
}

/* Requires: lock.  The first call for the variable, before any thread has changed a copy.  */
static void note_size(struct variable *v, size_t size)
{
  if (v->size == 0) {
    v->size = size;
    if (!has_constructor(&v->kind))
      v->image = memcpy(ghcomp_memory_get(size), v->original, size);
  } else if (size > v->size) {
    size_t before = v->size;
    ghcomp_unlock_own(&lock.word);
    ghcomp_message_fatal("the threadprivate variable at %p has %zu bytes in one part of the program and %zu in another, "
                         "so the program ends here", (void *)v->original, before, size);
  }
}

/* Requires: lock.  Afterwards the thread has an entry in the variable's table.  */
static void grow(struct variable *v, unsigned thread)
{
  struct threadprivate_copies *old = v->copies;
  if (old != NULL && thread < old->length)
    return;
  unsigned length = old != NULL ? old->length : SHORTEST / 2;
  do
    length *= 2;
  while (length <= thread);
  v->copies = ghcomp_memory_get_zero(sizeof *v->copies + length * sizeof v->copies->by_thread[0]);
  v->copies->length = length;
  v->copies->shorter = old;
  for (unsigned i = 0; old != NULL && i < old->length; i++)
    store_relaxed(&v->copies->by_thread[i], load_relaxed(&old->by_thread[i]));
}

/* Without the lock: constructors are the program's.  */
static void *make_copy(const struct variable *v)
{
  const struct threadprivate_kind *kind = &v->kind;
  void *copy = ghcomp_memory_get_lines(v->size);
  if (kind->elements != 0 && kind->construct_array != NULL)
    kind->construct_array(copy, kind->elements);
  else if (kind->elements != 0 && kind->construct_array_from != NULL)
    kind->construct_array_from(copy, v->original, kind->elements);
  else if (kind->construct != NULL)
    kind->construct(copy);
  else if (kind->construct_from != NULL)
    kind->construct_from(copy, v->original);
  else
    memcpy(copy, v->image, v->size);
  return copy;
}

void *ghcomp_threadprivate_find(unsigned thread, void *original, size_t size, threadprivate_cache *cache)
{
  ghcomp_lock_own(&lock.word);
  struct variable *v = variable_at(original);
  note_size(v, size);
  grow(v, thread);
  void *copy = load_relaxed(&v->copies->by_thread[thread]);
  if (copy == NULL) {
    ghcomp_unlock_own(&lock.word);
    copy = thread == 0 ? original : make_copy(v);
    ghcomp_lock_own(&lock.word);
    grow(v, thread); /* a constructor may have led to a longer table, which has room, too */
    store_relaxed(&v->copies->by_thread[thread], copy);
  }
  if (cache != NULL)
    store_release(cache, v->copies); /* what grow wrote is seen */
  ghcomp_unlock_own(&lock.word);
  return copy;
}

static void destroy(const struct variable *v, void *copy)
{
  if (v->kind.elements != 0 && v->kind.destroy_array != NULL)
    v->kind.destroy_array(copy, v->kind.elements);
  else if (v->kind.destroy != NULL)
    v->kind.destroy(copy);
  ghcomp_memory_release(copy);
}

/* Takes the thread's copy from the tables, or returns NULL.  Requires: lock.  */
static void *take(struct variable *v, unsigned thread)
{
  void *copy = NULL;
  for (struct threadprivate_copies *c = v->copies; c != NULL && thread < c->length; c = c->shorter) {
    if (c == v->copies)
      copy = load_relaxed(&c->by_thread[thread]);
    store_relaxed(&c->by_thread[thread], NULL);
  }
  return copy != v->original ? copy : NULL;
}

void ghcomp_threadprivate_end(unsigned thread)
{
  if (likely(!load_relaxed(&used)))
    return;
  for (unsigned i = 0; i < BUCKETS; i++) {
    ghcomp_lock_own(&lock.word);
    for (struct variable *v = buckets[i]; v != NULL; v = v->next) {
      void *copy = take(v, thread);
      if (copy == NULL)
        continue;
      ghcomp_unlock_own(&lock.word);
      destroy(v, copy);
      ghcomp_lock_own(&lock.word);
    }
    ghcomp_unlock_own(&lock.word);
  }
}
