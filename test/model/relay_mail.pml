/* The start of a region, where workers that have mail call others (team/gather.md).  Members are in
   clusters with a counter each.  The master calls the first worker of the other cluster, then the
   next workers of its own that no thread has taken, and at last those of the other.  A worker that
   has mail does so in its own cluster, if it is one of the callers; or in both, if it has slept.
   Each worker gets one mail for each region, with that region's data, and the region ends (no
   invalid end state).  When the master serves, each worker has been taken, even if none has helped.  */
#define SIZE 5 /* the master is 0 */
#define CLUSTER 3
#define CALLERS 2
#define REGIONS 2
#define IS_CALLER (number % CLUSTER < CALLERS)
#define END_OF(cluster) (cluster == 0 -> CLUSTER : SIZE - CLUSTER)

byte mail[SIZE], data_of[SIZE];
byte data = 0, joined = 0;
byte next[2] = CLUSTER;
byte served[SIZE];

inline call(worker)
{
  data_of[worker] = data;
  atomic { mail[worker]++; assert(mail[worker] == data) }
}

/* A caller of the cluster adds to the counter, another thread looks first.  */
inline assign_in(cluster, is_caller)
{
  do
  :: !(is_caller) && next[cluster] >= END_OF(cluster) -> break
  :: else ->
     atomic { i = next[cluster]; next[cluster]++ }
     if
     :: i >= END_OF(cluster) -> break
     :: else -> call((cluster) * CLUSTER + i)
     fi
  od
}

proctype worker(byte number)
{
  byte seen = 0, i, own = number / CLUSTER;
  bool has_slept;
  do
  :: seen < REGIONS ->
     atomic {
       mail[number] != seen;
       seen++;
       assert(mail[number] == seen && data_of[number] == seen && data == seen);
       if
       :: has_slept = true
       :: has_slept = false
       fi
     }
     if
     :: IS_CALLER || has_slept -> assign_in(own, IS_CALLER)
     :: else
     fi;
     if
     :: has_slept -> assign_in((1 - own), false)
     :: else
     fi;
     atomic { served[number]++; joined++ }
  :: else -> break
  od
}

proctype master(byte number)
{
  byte r = 0, i;
  do
  :: r < REGIONS ->
     r++;
     data = r;
     next[0] = 1;
     next[1] = 0;
     atomic { i = next[1]; next[1]++ }
     call(CLUSTER + i);
     assign_in(0, true);
     assign_in(1, false);
     assert(next[0] >= END_OF(0) && next[1] >= END_OF(1));
     atomic {
       joined == r * (SIZE - 1);
       assert(mail[0] == 0);
       i = 1;
       do
       :: i < SIZE -> assert(served[i] == r && mail[i] == r); i++
       :: else -> break
       od
     }
  :: else -> break
  od
}

init { atomic { run worker(1); run worker(2); run worker(3); run worker(4); run master(0) } }
