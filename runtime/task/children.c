#include "task/children.h"

#include "wait/parking.h"

void ghcomp_children_tell(struct thread *self, struct task *parent, uint64_t what)
{
  for (;;) {
    /* Releases what the child did to the parent's taskwait.  The waiter's flag is in the same word:
       either this addition finds it, and acquires the announcement, or the waiter sees this
       addition.  */
    uint64_t now = add_acq_rel(&parent->from_children, what) + what;
    /* If the waiter does not sleep, the task may be gone, and the other fields may be another task's.
       Then a thread is woken in vain.  */
    if (unlikely((now & WAIT_FLAG) != 0) &&
        WAIT_COUNT((uint32_t)now) == load_relaxed(&parent->awaited_children))
      ghcomp_parking_wake(&load_relaxed(&parent->runner)->waiter);
    if ((uint32_t)(now >> 32) != ALL_FREE)
      return;
    struct task *gone = parent;
    parent = load_relaxed(&gone->parent);
    ghcomp_header_put(self, gone);
    what = CHILD_FREE;
  }
}

/* It reports CHILD_COMPLETE before any thread can report CHILD_FREE, because the parent's own header
   may go then.  */
void ghcomp_children_leave(struct thread *self, struct task *task)
{
  uint32_t created = task->created;
  ghcomp_children_tell(self, load_relaxed(&task->parent), CHILD_COMPLETE);
  ghcomp_lineage_shorten(self, task, ghcomp_header_put_back);
  struct task *parent = load_relaxed(&task->parent); /* nobody changes it before the addition */
  /* Pairs with ghcomp_children_tell: the later of the two sees what all threads did with the
     header.  */
  if (add_acq_rel(&task->from_children, (uint64_t)(ALL_FREE - created) << 32) >> 32 == created) {
    ghcomp_header_put(self, task);
    ghcomp_children_tell(self, parent, CHILD_FREE);
  }
}

void ghcomp_children_forget(struct task *parent)
{
  /* Pairs with ghcomp_children_tell.  If the two are equal, no other thread changes the word any
     more.  */
  if (load_acquire(&parent->from_children) >> 32 == parent->created) {
    store_relaxed(&parent->from_children, 0);
    parent->created = 0;
  }
}
