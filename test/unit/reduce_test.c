/* storey: abi
   env: GHCOMP_SUBSTRATE=pthread OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=2 OMP_DYNAMIC=false OMP_THREAD_LIMIT=256
   each: OMP_WAIT_POLICY=passive OMP_WAIT_POLICY=active OMP_PROC_BIND=false
   link: -fopenmp
   Reductions of LLVM's compilers' code where the runtime knows of a processor for each thread, so that members take each
   other's values.  There are fewer, so members are late at every moment.  */
#include "../constructs/reductions.h"

#include "machine/processors.h"

/* In the place of the runtime's.  */
unsigned ghcomp_machine_affinity_processors(void)
{
  return 40;
}

int32_t __kmpc_reduce(struct place *, int32_t, int32_t, size_t, void *, combination *, int32_t *);
int32_t __kmpc_reduce_nowait(struct place *, int32_t, int32_t, size_t, void *, combination *, int32_t *);
void __kmpc_end_reduce(struct place *, int32_t, int32_t *);
void __kmpc_end_reduce_nowait(struct place *, int32_t, int32_t *);

int main(void)
{
  begin = __kmpc_reduce, begin_nowait = __kmpc_reduce_nowait;
  end = __kmpc_end_reduce, end_nowait = __kmpc_end_reduce_nowait;
  return check_all();
}
