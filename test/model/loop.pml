/* cbits/Loop.md: a caller runs three loops on one context, and a helper may take part.  Every chunk is executed
   once, in its own loop.  The caller continues only when no helper is inside, and does not sleep for ever.  A
   helper that attends when a loop is opened sees that loop.

   The caller may be interrupted while it executes or waits.  It then stops the loop, notes this on the loop's
   board, and throws to the helpers that the board names.  A helper that has entered does not work for ever on a
   body that only an exception ends.

   A helper's body may throw.  Then something is thrown to the caller, so that its body does not work for ever either.
   That does not arrive after the loop.  */
#define LOOPS 3
#define CHUNKS 2

bool closed = true, waiter = false; byte inside = 0;  /* one word, `state`: steps on the three are atomic */
byte generation = 0, attending = 0;                   /* also one word, `attending` */
byte described = 0, job = 0;                          /* the loop that they belong to */
byte left = 0, executed = 0;
byte interruptible = 0;                               /* a thread will throw to the caller of this loop */
bool busy = false;                                    /* the region has not ended */
bool bell = false;                                    /* the MVar that the caller sleeps on */
bool cancelled = false;                               /* no more chunks are handed out */
bool ended = false, named = false;                    /* the board: one step reads and writes both */
bool thrown = false;                                  /* at the helper */
bool failure = false;                                 /* on the board: the helper has thrown */
bool fails = false;                                   /* the helper's body will throw */
byte flying = 0;                                      /* to the caller: one more than the loop where it comes from */
byte promised = 0;                                    /* the last generation for which a helper attended */
chan mail = [1] of { bit };

/* Draws and executes chunks until none is left.  */
inline execute()
{
  do
  :: atomic { left > 0 && !cancelled -> left-- };
     assert(job == described);
     atomic { executed++ }
  :: atomic { left == 0 || cancelled -> break }
  od
}

/* A body may block until a thread throws, if the loop can still be stopped.  */
inline execute_or_block()
{
  if
  :: execute()
  :: atomic { left > 0 && !cancelled && interruptible -> left--; executed++ };
     thrown                                           /* blocks */
  :: atomic { left > 0 && !cancelled -> left--; executed++; fails = true };
     cancelled = true;
     failure = true;
     flying = job + 1                                 /* interruptCaller */
  fi
}

proctype helper()
{
  byte seen;
  bool in, gone, over;
end:
  do
  :: mail?_ ->
     seen = generation;
     gone = false;
     do
     :: !gone ->
        if
        :: !closed ->
           atomic { in = !closed; if :: in -> inside++; thrown = false :: else -> skip fi } /* enter */
           if
           :: in ->
              atomic { named = true; over = ended };                              /* on the board */
              if :: over -> skip :: else -> execute_or_block() fi;
              atomic {                                                            /* leave */
                inside--;
                in = closed && waiter && inside == 0
              }
              if :: in -> bell = true :: else -> skip fi                          /* putMVar */
           :: else -> skip
           fi
        :: else -> skip
        fi;
        atomic {                                                                  /* depart */
          if
          :: generation == seen -> attending--; gone = true; assert(seen >= promised)
          :: else -> seen = generation
          fi
        }
     :: gone -> break
     od;
     busy = false                                     /* the last worker ends the region */
  od
}

/* A helper on the board gets the exception; a later one will see that the loop has ended.  */
inline interrupt()
{
  atomic { ended = true; hit = named };
  if :: hit -> thrown = true :: else -> skip fi
}

proctype caller()
{
  byte k = 0, others, found;
  bool stopped, hit;
  do
  :: k < LOOPS ->
     assert(closed && inside == 0);
     described = k; executed = 0; left = CHUNKS;      /* describe */
     assert(flying == 0);
     cancelled = false; ended = false; named = false; bell = false; stopped = false; failure = false; fails = false;
     select(interruptible : 0 .. 1);
     job = k;
     do                                                                           /* alone */
     :: left > 0 -> left--; executed++
     :: break
     od;
     if
     :: left == 0 -> found = 0                                                    /* never opened */
     :: else ->
        atomic { closed = false; waiter = false; inside = 0 }                     /* open */
        atomic {                                                                  /* call_helpers */
          generation++;
          others = attending;
          if :: others > 0 -> promised = generation :: else -> skip fi
        }
        if
        :: others == 0 && !busy ->
           busy = true;
           atomic { attending++ }
           mail!1
        :: else -> skip
        fi;
        if
        :: execute()
        :: interruptible -> stopped = true; cancelled = true                      /* in its own chunk */
        :: atomic { left > 0 && !cancelled && fails -> left--; executed++ };
           flying == k + 1;                                                       /* blocks */
           flying = 0
        fi;
        atomic { closed = true; found = inside }                                  /* close */
     fi;
     if :: stopped -> interrupt() :: else -> skip fi;
     do
     :: found != 0 ->
        bell = false;                                                             /* a new one */
        atomic { waiter = true; found = inside }                                  /* will_sleep */
        if
        :: found != 0 ->
           if                                                                     /* takeMVar */
           :: bell -> found = 0
           :: interruptible && !stopped -> stopped = true; cancelled = true; interrupt()
           :: flying != 0 -> assert(flying == k + 1); flying = 0
           fi
        :: else -> skip
        fi
     :: else -> break
     od;
     flying = 0;                                                                  /* settle */
     assert(inside == 0 && (stopped || failure || (executed == CHUNKS && left == 0)));
     k++
  :: else -> break
  od
}

init { atomic { run helper(); run caller() } }
