/* cbits/Loop.md: a caller runs three loops on one context, a helper comes or does not.  Every chunk is
   executed once, in its own loop; the caller goes on only when nobody is inside; it does not sleep for
   ever; and a helper that attends when a loop is opened sees that loop.  */
#define LOOPS 3
#define CHUNKS 2

bool closed = true, waiter = false; byte inside = 0;  /* `state`: steps on all three are atomic */
byte generation = 0, attending = 0;                   /* `attending`: likewise */
byte described = 0, job = 0;                          /* which loop these are of */
byte left = 0, executed = 0;
bool busy = false;                                    /* the region has not ended */
bool asleep = false;                                  /* the caller, on the futex */
byte promised = 0;                                    /* the last generation for which somebody attended */
chan mail = [1] of { bit };

/* Draws and executes chunks until there are none.  */
inline execute()
{
  do
  :: atomic { left > 0 -> left-- };
     assert(job == described);
     atomic { executed++ }
  :: atomic { left == 0 -> break }
  od
}

proctype helper()
{
  byte seen;
  bool in, gone;
end:
  do
  :: mail?_ ->
     seen = generation;
     gone = false;
     do
     :: !gone ->
        if
        :: !closed ->
           atomic { in = !closed; if :: in -> inside++ :: else -> skip fi }       /* enter */
           if
           :: in ->
              execute();
              atomic {                                                            /* leave */
                inside--;
                in = closed && waiter && inside == 0
              }
              if :: in -> asleep = false :: else -> skip fi                       /* futex wake */
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

proctype caller()
{
  byte k = 0, others, found;
  do
  :: k < LOOPS ->
     assert(closed && inside == 0);
     described = k; executed = 0; left = CHUNKS;      /* describe */
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
        execute();
        atomic { closed = true; found = inside }                                  /* close */
     fi;
     do
     :: found != 0 ->
        atomic { waiter = true; found = inside }                                  /* wait */
        if
        :: found != 0 ->
           atomic { if :: inside == found -> asleep = true :: else -> skip fi }   /* futex wait */
           !asleep;
           found = inside
        :: else -> skip
        fi
     :: else -> break
     od;
     assert(inside == 0 && executed == CHUNKS && left == 0);
     k++
  :: else -> break
  od
}

init { atomic { run helper(); run caller() } }
