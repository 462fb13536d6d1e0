/* The end of a barrier's phase at which woken threads help to wake others (team/gather.md).  Two
   members wait and may sleep, and a third ends the phase, twice.  As in the code, the counter of
   taken members is read before it is raised.  No thread sleeps for ever (no invalid end state).
   When the counter is reset, no thread is between these two steps.  */
#define AWAKE 0
#define PARKED 1
#define SIZE 3
#define PHASES 2

byte park[SIZE];
bool asleep[SIZE];
byte parked = 0, phase = 0, arrived = 0;
byte next = SIZE;
byte taking = 0; /* threads that wake the members that they took */

inline wake_more()
{
  taking++;
  do
  :: next >= SIZE -> break
  :: else ->
     atomic { i = next; next++ }
     if
     :: i >= SIZE -> break
     :: else ->
        if
        :: park[i] != AWAKE ->
           atomic { old = park[i]; park[i] = AWAKE }
           if
           :: old == PARKED -> asleep[i] = false
           :: else -> skip
           fi
        :: else -> skip
        fi
     fi
  od;
  taking--
}

proctype member(byte me)
{
  byte round = 0, n, i, old;
  bool slept;
  do
  :: round < PHASES ->
     slept = false;
     atomic { arrived++; n = arrived }
     if
     :: n == (round + 1) * SIZE ->
        phase = round + 1;
        if
        :: parked != 0 -> next = 0; wake_more()
        :: else -> skip
        fi
     :: else ->
        do
        :: phase != round -> break
        :: phase == round ->
           atomic { park[me] = PARKED }
           parked++;
           if
           :: phase != round -> skip
           :: else ->
              atomic {
                if
                :: park[me] == PARKED -> asleep[me] = true
                :: else -> skip
                fi
              }
              !asleep[me]
           fi;
           park[me] = AWAKE;
           parked--;
           slept = true
        od;
        if
        :: slept -> wake_more()
        :: else -> skip
        fi
     fi;
     round++
  :: else -> break
  od
}

init
{
  atomic { run member(0); run member(1); run member(2) }
  (_nr_pr == 1);
  assert(parked == 0 && taking == 0 && phase == PHASES)
}
