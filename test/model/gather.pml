/* The barrier of a large team (team/gather.md, team/barrier.md).  A member arrives at the node of
   its group.  The last member of a group resets the node and arrives at the team's counter.  The
   phase ends when all heads have arrived and no task is left.  Four members are in groups of two;
   another level would do between two nodes what happens here between a node and the counter.  The end of the phase comes
   to a member that is no head by its group's word, or by its own look at the phase.

   One member defers a task before the first barrier, which any member executes.  No member leaves a
   barrier before all have arrived, no node is used between its reset and the next phase, and all
   members get through.  */
#define SIZE 4
#define GROUP 2
#define HEADS 2
#define PHASES 2

byte node[HEADS];
byte arrived = 0, phase = 0;
byte released[HEADS];
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
  bool mine, head;
  do
  :: round < PHASES ->
     if
     :: me == 0 && round == 0 -> created++; available = true
     :: else -> skip
     fi;
     d_step {
       at[me] = round + 1;
       p = released[me / GROUP];
       assert(p == phase);
       head = false
     };
     atomic { node[me / GROUP]++; n = node[me / GROUP]; assert(n <= GROUP) }
     if
     :: n == GROUP ->
        head = true;
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
     :: !head && released[me / GROUP] != p -> break
     :: phase == p && available ->
        atomic { mine = available; available = false }
        if
        :: mine -> done++; end_phase_if_quiescent(p)
        :: else -> skip
        fi
     od;
     if
     :: released[me / GROUP] == p -> released[me / GROUP] = p + 1 /* another member may have done so */
     :: else -> skip
     fi;
     d_step {
       assert(phase == p + 1 && released[me / GROUP] == p + 1);
       assert(done == created);
       i = 0;
       do
       :: i < SIZE -> assert(at[i] >= round + 1); i++
       :: else -> break
       od;
       i = 0;
       n = 0;
       round++
     }
  :: else -> break
  od
}

init { atomic { run member(0); run member(1); run member(2); run member(3) } }
