/* task/deque.md: an owner that pushes three tasks and takes, and two thieves.  Each task is taken
   exactly once.  The steps are sequentially consistent, as the read-modify-writes of the code are.  */
#define TASKS 3

byte top = 0, bottom = 0;
byte array[4];
byte had[TASKS];
byte thieves_done = 0;

inline have(t) { had[t]++; assert(had[t] == 1) }

inline take()
{
  b = bottom - 1;
  if
  :: bottom == 0 || b < top -> skip
  :: else ->
     task = array[b];
     bottom = b;                       /* swap */
     t = top;
     if
     :: t < b -> have(task)
     :: t == b ->
        atomic { won = (top == t); if :: won -> top = t + 1 :: else -> skip fi }
        if :: won -> have(task) :: else -> skip fi;
        bottom = b + 1
     :: t > b -> bottom = b + 1
     fi
  fi
}

proctype owner()
{
  byte n = 0, b, t, task;
  bool won;
  do
  :: n < TASKS -> array[bottom] = n; bottom = bottom + 1; n++
  :: n < TASKS && n > 0 -> take()
  :: n == TASKS -> break
  od;
  do
  :: bottom > top -> take()
  :: else -> break
  od
}

proctype thief()
{
  byte tries = 0, t, b, task;
  bool won;
  do
  :: tries < 3 ->
     t = top;
     b = bottom;
     if
     :: t < b ->
        task = array[t];
        atomic { won = (top == t); if :: won -> top = t + 1 :: else -> skip fi }
        if :: won -> have(task) :: else -> skip fi
     :: else -> skip
     fi;
     tries++
  :: else -> break
  od;
  thieves_done++
}

init
{
  atomic { run owner(); run thief(); run thief() }
  _nr_pr == 1;
  assert(had[0] == 1 && had[1] == 1 && had[2] == 1)
}
