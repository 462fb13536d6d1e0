/* The start of a region, where workers that have mail call others (team/gather.md).  A thread with
   mail takes the next worker that no thread has taken, and mails to it.  It serves when none is
   left.  Each worker gets one mail for each region, with that region's data, and the region ends
   (no invalid end state).  */
#define SIZE 5 /* the master is 0 */
#define REGIONS 3

byte mail[SIZE], data_of[SIZE];
byte data = 0, joined = 0;
byte next = SIZE;
byte served[SIZE];

inline assign_more()
{
  do
  :: next >= SIZE -> break
  :: else ->
     atomic { i = next; next++ }
     if
     :: i >= SIZE -> break
     :: else -> data_of[i] = data; mail[i]++
     fi
  od
}

proctype worker(byte me)
{
  byte seen = 0, i;
  do
  :: seen < REGIONS ->
     mail[me] != seen;
     seen++;
     assert(mail[me] == seen && data_of[me] == seen && data == seen);
     assign_more();
     served[me]++;
     joined++
  :: else -> break
  od
}

proctype master()
{
  byte r = 0, i;
  do
  :: r < REGIONS ->
     r++;
     data = r;
     next = 1;
     assign_more();
     joined == r * (SIZE - 1);
     i = 1;
     do
     :: i < SIZE -> assert(served[i] == r); i++
     :: else -> break
     od
  :: else -> break
  od
}

init { atomic { run worker(1); run worker(2); run worker(3); run worker(4); run master() } }
