/* wait/parking.md: no thread sleeps for ever once the condition is true.  Two sleepers wait for the
   condition.  The second of two wakers makes it true.  The futex is that of Linux: a wait compares
   and sleeps in one step, and a wake-up wakes any thread that sleeps on the word.  */
#define AWAKE 0
#define PARKED 1
#define SLEEPERS 2

byte park[SLEEPERS];
bool asleep[SLEEPERS];
byte parked = 0;
bool condition = false;
byte finished = 0;

proctype sleeper(byte me)
{
  do
  :: condition -> break
  :: else ->
     atomic { park[me] = PARKED }      /* S1: swap */
     parked++;
     if
     :: condition -> skip              /* S2 */
     :: else ->
        atomic {                       /* S3: futex_wait */
          if
          :: park[me] == PARKED -> asleep[me] = true
          :: else -> skip
          fi
        }
        !asleep[me]                    /* sleeps until woken */
     fi;
     park[me] = AWAKE;                 /* S4 */
     parked--
  od;
  finished++
}

proctype waker(bool makes_it_true)
{
  byte i = 0;
  if
  :: makes_it_true -> condition = true /* W1 */
  :: else -> skip                      /* a wake-up too many */
  fi;
  if
  :: parked != 0 ->                    /* W2 */
     do
     :: i < SLEEPERS ->
        byte old;
        if
        :: park[i] != AWAKE ->
           atomic { old = park[i]; park[i] = AWAKE } /* W3: swap */
           if
           :: old == PARKED -> asleep[i] = false     /* futex_wake */
           :: else -> skip
           fi
        :: else -> skip
        fi;
        i++
     :: else -> break
     od
  :: else -> skip
  fi
}

init
{
  atomic { run sleeper(0); run sleeper(1); run waker(false); run waker(true) }
  finished == SLEEPERS;
  assert(parked == 0)
}
