/* What the task constructs of this folder share.  */
#ifndef GHCOMP_ABI_KMP_TASK_H
#define GHCOMP_ABI_KMP_TASK_H

#include "abi/kmp/kmp.h"
#include "task/made.h"

/* A tied task as the compiler hands it over.  */
int32_t __kmpc_omp_task(struct kmp_ident *where, int32_t gtid, struct kmp_task *task);

/* The task as its flags say; `depend`: as GCC's array, or NULL.  */
void ghcomp_kmp_submit(struct kmp_task *task, bool deferrable, void **depend);

/* The task is executed before the call returns.
   Requires: it is tied, deferrable and has no event.  */
void ghcomp_kmp_run(struct thread *self, struct kmp_task *task);

/* The objects in the block, if it has any.  */
void ghcomp_kmp_destroy(struct kmp_task *task);

#endif
