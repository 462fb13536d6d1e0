/* Objects move through the depot from one thread to another.  No two threads ever have the same
   object.
   code: memory/free_list.c wait/parking.c.  */
#include "memory/free_list.h"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 2;
struct object {
  struct free_item item;
  int used;
};
static struct free_depot *depot;
static struct free_list list[3];

void weak_setup(void)
{
  make_members(weak_threads);
  depot = weak_alloc(sizeof *depot);
  depot->size = 64;
  for (int i = 0; i < 2; i++)
    ghcomp_free_list_put(&list[0], depot, weak_alloc(64));
}

void weak_thread(unsigned number)
{
  be(number);
  if (number == 0) {
    ((struct object *)list[0].first)->used = 1;
    ghcomp_free_list_keep(&list[0], depot, 1);
    ghcomp_free_list_keep(&list[0], depot, 0);
  } else
    for (int i = 0; i < 2; i++) {
      struct object *object = ghcomp_free_list_take(&list[1], depot);
      weak_assert(object->used <= 1);
      object->used = 2;
    }
}

void weak_end(void)
{
}
