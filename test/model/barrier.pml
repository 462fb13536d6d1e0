/* team/barrier.md: three members and two barriers.  The first member defers a task before the first
   barrier, which any waiting member executes.  No member leaves a barrier before all have arrived
   and the task is done, and all members get through (no invalid end state).  The counters are one
   byte wide here, so that they wrap around.  */
#define SIZE 3

byte arrived = 254;  /* about to wrap around: (phase + 1) * SIZE is compared mod 256 */
byte phase = 0;
byte base = 254;
byte created = 0, done = 0;
bool available = false;
byte at[SIZE];

inline end_phase_if_quiescent(p)
{
  byte d, c, a;
  atomic { a = arrived }               /* the addition of 0 */
  if
  :: a == (base + (p + 1) * SIZE) % 256 ->
     d = done;
     c = created;
     if
     :: d == c -> atomic { if :: phase == p -> phase = p + 1 :: else -> skip fi }
     :: else -> skip
     fi
  :: else -> skip
  fi
}

proctype member(byte me)
{
  byte round = 0, p, a2, d2, c2, i;
  bool mine;
  do
  :: round < 2 ->
     if
     :: me == 0 && round == 0 -> created++; available = true
     :: else -> skip
     fi;
     at[me] = round + 1;
     p = phase;
     atomic { arrived = (arrived + 1) % 256; a2 = arrived }
     if
     :: a2 == (base + (p + 1) * SIZE) % 256 -> end_phase_if_quiescent(p)
     :: else -> skip
     fi;
     do
     :: phase != p -> break
     :: phase == p && available ->
        atomic { mine = available; available = false }
        if
        :: mine -> done++; end_phase_if_quiescent(p)
        :: else -> skip
        fi
     od;
     assert(done == created);
     i = 0;
     do
     :: i < SIZE -> assert(at[i] >= round + 1); i++
     :: else -> break
     od;
     round++
  :: else -> break
  od
}

init { atomic { run member(0); run member(1); run member(2) } }
