/* wait/lock_queue.h: threads that spin for a lock, and never sleep.  A thread that has come behind another one looks at the lock
   only when that one no longer has the ticket that it had then.  Each thread gets the lock TIMES times: in no order does
   everybody wait for somebody else.  A thread may also take the lock at once (`ghcomp_lock_try`), and come last again after a
   while (QUEUE_LOOKS).  With one ticket instead of several the model fails: a thread takes one that has come again for the one
   that was ahead, and the two wait for each other.  */
#define NOBODY 3
#define THREADS 3
#define TIMES 2
#define TICKETS 4 /* 1 to TICKETS; 0: in no queue */

bool held = false;
byte last = NOBODY, last_ticket = 0;
byte ticket[THREADS], had[THREADS];
byte inside = 0;

inline enter()
{
  had[me] = had[me] % TICKETS + 1;
  ticket[me] = had[me];
  atomic { ahead = last; its = last_ticket; last = me; last_ticket = had[me] };
  if
  :: ahead == me -> ahead = NOBODY
  :: else
  fi
}

proctype thread(byte me)
{
  byte times = 0, ahead, its, again;
  bool mine;
  do
  :: times == TIMES -> break
  :: else ->
     atomic { mine = !held; held = true };
     again = 0;
     if
     :: mine
     :: else ->
        enter();
        do
        :: mine -> break
        :: atomic { !mine && (ahead == NOBODY || ticket[ahead] != its) && !held -> held = true; mine = true }
        :: !mine && again == 0 && ahead != NOBODY -> again = 1; enter()
        od;
        ticket[me] = 0
     fi;
     inside++;
     assert(inside == 1);
     inside--;
     held = false;
     times++
  od
}

/* An end state in which a thread waits is invalid, and spin reports it.  */
init { atomic { run thread(0); run thread(1); run thread(2) } }
