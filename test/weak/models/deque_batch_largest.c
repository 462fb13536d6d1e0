/* A thief takes the largest batch.
   code: task/deque.c.  */
#define TASKS (4 * BATCH_MOST)
#include "deque_batch.h"
