/* Items for workers that share an address space.  */
#include "harness.h"

#include <stdatomic.h>

static atomic_long next_item;

void driver_items(long count, void (*item)(long))
{
  for (long i; (i = atomic_fetch_add(&next_item, 1)) < count;)
    item(i);
}
