/* What compiled code of LLVM's compilers asks the runtime at a reduction clause (5.5), as that code asks it.
   env: OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=2 OMP_DYNAMIC=false OMP_THREAD_LIMIT=256
   each: OMP_WAIT_POLICY=passive OMP_WAIT_POLICY=active OMP_PROC_BIND=false
   link: -ldl */
#include "entry_point.h"
#include "reductions.h"

int main(void)
{
  begin = find("__kmpc_reduce"), begin_nowait = find("__kmpc_reduce_nowait");
  end = find("__kmpc_end_reduce"), end_nowait = find("__kmpc_end_reduce_nowait");
  return check_all();
}
