/* team/pool.md, Why a docked worker cannot touch the wrong region.  A docked worker may take a task
   only of the region that it served.  The master closes a region only when no worker is executing a
   task of it.  The master runs two regions, each with a task that the master may execute itself.
   The worker serves the first region only, and belongs to another team in the second.  */
byte region = 0;
byte helpers = 0; /* of the worker's member */
bool has_task = false;
byte task_of = 0;
bool in_task = false;

proctype worker()
{
  byte served = 0;
  bool mine;
  do
  :: has_task ->                       /* the hint */
     atomic { helpers++ }              /* enter */
     if
     :: region != served ->
        atomic { helpers-- };
        break                          /* does not use this team again */
     :: region == served ->
        atomic { mine = has_task; has_task = false }
        if
        :: mine -> in_task = true; assert(task_of == served); in_task = false
        :: else -> skip
        fi;
        atomic { helpers-- }
     fi
  :: !has_task -> if :: region != 0 -> break :: else -> skip fi
  od
}

proctype master()
{
  byte r = 0;
  bool mine;
  do
  :: r < 2 ->
     task_of = r;
     has_task = true;
     atomic { mine = has_task; has_task = false }
     if :: mine -> assert(task_of == r) :: else -> !in_task fi;
     atomic { region++ }               /* close_region */
     helpers == 0;
     r++
  :: else -> break
  od
}

init { atomic { run worker(); run master() } }
