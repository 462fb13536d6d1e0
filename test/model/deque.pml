/* task/deque.md: an owner that pushes tasks and takes, a thief that takes one at a time, and one that takes a batch of two where it
   sees three or more.  Each task is taken exactly once.  The steps are sequentially consistent, as the read-modify-writes of the code
   are.  */
#define TASKS 4
#define BATCH_MOST 2
#define BATCH_FROM 3

byte top = 0, bottom = 0;
byte changes = 0;       /* the high half of the word `top` */
byte array[TASKS + 1];
byte had[TASKS];

inline have(t) { had[t]++; assert(had[t] == 1) }

inline take()
{
  b = bottom - 1;
  if
  :: bottom == 0 || b < top -> skip
  :: else ->
     task = array[b];
     bottom = b;                       /* swap */
     atomic { t = top; c = changes }
     if
     :: t + BATCH_MOST <= b ->
        if :: t + BATCH_FROM - 1 <= b -> batch_possible = true :: else -> skip fi;
        have(task)
     :: else ->
        if
        :: batch_possible -> batch_possible = false; atomic { changes++; t = top; c = changes }
        :: else -> skip
        fi;
        if
        :: t < b -> have(task)
        :: t == b ->
           atomic { won = (top == t && changes == c); if :: won -> top = t + 1 :: else -> skip fi }
           if :: won -> have(task) :: else -> skip fi;
           bottom = b + 1
        :: t > b -> bottom = b + 1
        fi
     fi
  fi
}

proctype owner()
{
  byte n = 0, b, t, c, task;
  bool won, batch_possible;
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

proctype thief(byte most, looks)
{
  byte tries = 0, t, c, b, n, task, other;
  bool won;
  do
  :: tries < looks ->
     atomic { t = top; c = changes }
     b = bottom;
     n = 1;
     if
     :: t < b ->
        if :: most > 1 && b - t >= BATCH_FROM -> n = most :: else -> skip fi;
        task = array[t];
        if :: n > 1 -> other = array[t + 1] :: else -> skip fi;
        atomic { won = (top == t && changes == c); if :: won -> top = t + n :: else -> skip fi }
        if :: won -> have(task) :: else -> skip fi;
        if :: won && n > 1 -> have(other) :: else -> skip fi
     :: else -> skip
     fi;
     tries++
  :: else -> break
  od
}

init
{
  byte i;
  atomic { run owner(); run thief(1, 1); run thief(BATCH_MOST, 2) }
  _nr_pr == 1;
  for (i : 0 .. TASKS - 1) { assert(had[i] == 1) }
}
