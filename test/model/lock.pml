/* wait/lock.c: a lock word that is free, held, or held while a thread may sleep.  At most one
   thread holds the lock, and no thread sleeps for ever.  Spinning is modelled as a few looks, and
   may end at any of them.  The futex compares and sleeps in one step.  */
#define FREE 0
#define HELD 1
#define CONTENDED 2
#define THREADS 3
#define TIMES 2

byte lock = FREE;
bool asleep[THREADS];
byte inside = 0;

proctype thread(byte me)
{
  byte times = 0, looks, how, old;
  bool mine;
  do
  :: times == TIMES -> break
  :: else ->
     how = HELD;
     atomic { mine = (lock == FREE); if :: mine -> lock = HELD :: else fi }
     do
     :: mine -> break
     :: else ->
        looks = 0;
        do                                   /* spin_for */
        :: mine || looks == 2 -> break
        :: else -> looks++;
           atomic { mine = (lock == FREE); if :: mine -> lock = how :: else fi }
        od;
        if
        :: mine -> break
        :: else ->
           atomic { old = lock; lock = CONTENDED };
           if
           :: old == FREE -> mine = true
           :: else ->
              atomic { if :: lock == CONTENDED -> asleep[me] = true :: else fi };
              !asleep[me];
              how = CONTENDED
           fi
        fi
     od;
     inside++;
     assert(inside == 1);
     inside--;
     atomic { old = lock; lock = FREE };     /* release */
     if
     :: old == CONTENDED ->
        atomic {                             /* wakes any one */
          if
          :: asleep[0] -> asleep[0] = false
          :: asleep[1] -> asleep[1] = false
          :: asleep[2] -> asleep[2] = false
          :: !asleep[0] && !asleep[1] && !asleep[2] -> skip
          fi
        }
     :: else
     fi;
     mine = false;
     times++
  od
}

/* An end state in which a thread still sleeps is invalid, and spin reports it.  */
init { atomic { run thread(0); run thread(1); run thread(2) } }
