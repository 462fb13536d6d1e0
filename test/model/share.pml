/* cbits/LoopShare.c and GHC.OpenMP.Loop.StandIn: the shares of a loop's threads, which stand-ins take over.

   Two places of a loop: the caller's and a helper's.  A body may be blocked until its thread is woken, at any time.  (Or it computes
   for long, and is stopped in it: that is the same here.)  A stand-in takes the share of such a thread, in one step, because it runs
   on that thread's Capability; and the next one that of the stand-in.

   Each body is executed once.  A worker is used by the holder of its share only.  The caller returns when nobody is inside.  If bodies
   wait until all have begun, all begin.  */
#define PLACES 2
#define BODIES 4
#define THREADS (2 + BODIES + PLACES) /* the caller, a helper, and stand-ins: a share of which nothing is left may be taken, too */
#define CALLER 0
#define MEET (BODIES)   /* a body waits until so many have begun */

byte left_of_worker[PLACES];    /* bodies that the worker has not drawn: only its holder draws */
byte holder[PLACES];            /* the thread that has the share */
bool over[PLACES];              /* nothing is left in it */
bool blocked[THREADS];
byte inside = 0, started = 2, begun = 0, done = 0;
bool closed = false, returned = false;

#define everybody_has_begun (begun == MEET)

inline execute(self)
{
  atomic { begun++; blocked[self] = true };
  /* woken when all have begun; a stand-in may act before that and after it */
  everybody_has_begun;
  atomic { blocked[self] = false; done++ }
}

/* Draws until nothing is left, or the share belongs to another thread.  A body of its own place, then of the other one.  */
inline work(self, place)
{
  do
  :: holder[place] != self -> break
  :: atomic { holder[place] == self && left_of_worker[place] > 0 -> left_of_worker[place]-- };
     execute(self)
  :: atomic { holder[place] == self && left_of_worker[place] == 0 && left_of_worker[1 - place] > 0 -> left_of_worker[1 - place]-- };
     execute(self)
  :: atomic { holder[place] == self && left_of_worker[place] == 0 && left_of_worker[1 - place] == 0 -> over[place] = true };
     break
  od
}

proctype standin(byte self; byte place)
{
  assert(!returned);
  work(self, place);
  assert(!returned && inside > 0);
  inside--
}

inline take(place)
{
  inside++;
  holder[place] = started;
  run standin(started, place);
  started++
}

/* The watching thread, and the stand-ins that follow each other: at any time, for any share.  Taking it is one step.  */
active proctype watch()
{
  do
  :: atomic { started < THREADS && blocked[holder[0]] && !over[0] -> take(0) }
  :: atomic { started < THREADS && blocked[holder[1]] && !over[1] -> take(1) }
  :: returned -> break
  od
}

proctype helper()
{
  bool enters;
  atomic {
    enters = !closed;
    if
    :: enters -> inside++; holder[1] = 1; over[1] = false
    :: else
    fi
  };
  if
  :: enters -> work(1, 1); assert(!returned); inside--
  :: else
  fi
}

active proctype caller()
{
  atomic {
    left_of_worker[0] = 3;
    left_of_worker[1] = BODIES - 3; /* also if the helper does not come */
    holder[0] = CALLER;
    holder[1] = THREADS - 1; /* nobody yet */
    over[1] = true;
    run helper()
  };
  work(CALLER, 0);
  closed = true;
  inside == 0;
  returned = true;
  assert(done == BODIES && begun == BODIES)
}
