/* The barrier of a large team (team/gather.md, team/barrier.md).  A member arrives at the node of
   its group.  The last member of a group resets the node and arrives at the team's counter.  The
   phase ends when all heads have arrived and no task is left.  Four members are in groups of two;
   another level would do between two nodes what happens here between a node and the counter.

   One member defers a task before the first barrier, which any member executes.  No member leaves a
   barrier before all have arrived, no node is used between its reset and the next phase, and all
   members get through.  */
#define SIZE 4
#define GROUP 2
#define HEADS 2
#define PHASES 2

byte node[HEADS];
byte arrived = 0, phase = 0;
byte created = 0, done = 0;
bool available = false;
byte at[SIZE];

inline end_phase_if_quiescent(p)
{
  byte d, c, a;
  atomic { a = arrived }
  if
  :: a == (p + 1) * HEADS ->
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
  byte round = 0, p, n, i;
  bool mine;
  do
  :: round < PHASES ->
     if
     :: me == 0 && round == 0 -> created++; available = true
     :: else -> skip
     fi;
     at[me] = round + 1;
     p = phase;
     atomic { node[me / GROUP]++; n = node[me / GROUP]; assert(n <= GROUP) }
     if
     :: n == GROUP ->
        node[me / GROUP] = 0;
        atomic { arrived++; n = arrived }
        if
        :: n == (p + 1) * HEADS -> end_phase_if_quiescent(p)
        :: else -> skip
        fi
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

init { atomic { run member(0); run member(1); run member(2); run member(3) } }
