/* one_processor.c with a wait policy that never sleeps.
   env: OMP_WAIT_POLICY=active
   wrap: taskset -c 0 %s */
#include "one_processor.c"
