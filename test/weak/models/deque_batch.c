/* A thief takes the smallest batch, from the shortest deque that gives one.
   code: task/deque.c.  */
#define TASKS BATCH_FROM
#include "deque_batch.h"
