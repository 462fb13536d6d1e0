/* Dependences among sibling tasks.  Spec: 5.2, 15.9.5.  */
#ifndef GHCOMP_TASK_DEPEND_H
#define GHCOMP_TASK_DEPEND_H

#include "task/depend_node.h"

/* Enters the new task into its parent's table and behind its predecessors.
   True: it has none left and is ready.  False: the last predecessor to
   complete makes it ready.
   Called by: the parent's thread.  `depend` is the compiler's array.  */
bool ghcomp_depend_register(struct thread *self, struct task *task, void **depend);

/* The calling thread as one that waits for the tasks that the array names: it waits
   until the node's `waiting` is 1, and then drops the node.  NULL: there are none.  */
struct depend_node *ghcomp_depend_predecessors(struct thread *self, void **depend);

/* The parent ends: nobody else can name its children.  */
void ghcomp_depend_drop_table(struct depend_table *table);

#endif
