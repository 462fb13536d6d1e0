/* Fork and join (team/fork.c, team/join.c, team/pool.h).  What changes with each region is in the mail.  The
   rest is in the team, and is written only when it changes.  `joined` is never reset, and is compared with
   a number in the mail.  Every worker serves each region once, with its data.  The master leaves a region only
   when all have joined, and does not sleep for ever.  */
#define WORKERS 2
#define REGIONS 4

byte mail[WORKERS], joined_when_all_of[WORKERS]; /* one line for each worker */
byte data = 0;                            /* of the team */
byte joined = 0, joined_when_all = 0;
byte served[WORKERS];
bool parked = false, asleep = false;      /* the master */

#define data_of(region) ((region) / 2)    /* changes with every second region */

proctype worker(byte me)
{
  byte seen = 0, g;
  bool last;
  do
  :: seen < REGIONS ->
     mail[me] != seen;
     seen++;
     g = joined_when_all_of[me];
     assert(data == data_of(seen - 1));
     served[me]++;
     atomic { joined++; last = (joined == g) }
     if
     :: last && parked -> atomic { parked = false; asleep = false }   /* ghcomp_parking_wake */
     :: else -> skip
     fi
  :: else -> break
  od
}

proctype master()
{
  byte r = 0, w;
  do
  :: r < REGIONS ->
     if :: data != data_of(r) -> data = data_of(r) :: else -> skip fi;
     joined_when_all = joined_when_all + WORKERS;
     w = 0;
     do
     :: w < WORKERS -> joined_when_all_of[w] = joined_when_all; atomic { mail[w]++ }; w++
     :: else -> break
     od;
     do
     :: joined == joined_when_all -> break
     :: else ->
        parked = true;                                                /* ghcomp_parking_prepare */
        if
        :: joined != joined_when_all ->
           atomic { if :: parked -> asleep = true :: else -> skip fi } /* futex wait */
           !asleep
        :: else -> skip
        fi;
        parked = false
     od;
     w = 0;
     do
     :: w < WORKERS -> assert(served[w] == r + 1); w++
     :: else -> break
     od;
     r++
  :: else -> break
  od
}

init { atomic { run worker(0); run worker(1); run master() } }
