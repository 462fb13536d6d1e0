/* Objects go through the depot from one thread to another; no two threads have one.
   code: core/free_list.c.  */
#include "core/free_list.h"
#include "made_team.h"

unsigned weak_threads = 3;
struct object {
  struct free_item item;
  int used;
};
static struct free_depot *depot;
static struct free_list list[3];

void weak_setup(void)
{
  depot = weak_alloc(sizeof *depot);
  depot->size = 64;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      ghcomp_free_list_put(&list[i], depot, weak_alloc(64));
}

void weak_thread(unsigned number)
{
  if (number < 2) {
    ghcomp_free_list_keep(&list[number], depot, 1);
    ghcomp_free_list_keep(&list[number], depot, 0);
  } else
    for (int i = 0; i < 2; i++) {
      struct object *object = ghcomp_free_list_take(&list[2], depot);
      weak_assert(object->used == 0);
      object->used = 1;
    }
}

void weak_end(void)
{
}
