/* How workers end (team/pool.md; code: team/pool.c, team/worker.c).  Masters begin, take workers from the free
   list or start them, give them back and end.  One free worker, the keeper, sleeps with a time-out that may
   pass at any moment, and then ends surplus workers: all but KEPT while there is a master, else all.

   No worker is ended while a master has it, or taken after it was ended.  When the masters have ended, all
   workers end: no end state has a sleeping worker.  */
#define WORKERS 2
#define KEPT 1
#define NOBODY 255

byte masters = 0, free_count = 0, keeper = NOBODY;
bool alive[WORKERS], free[WORKERS], seated[WORKERS], keeps[WORKERS];
byte mail[WORKERS];                            /* 1: a region; 2: the end */
byte served[WORKERS];
bool parked[WORKERS], asleep[WORKERS];

inline wake(w) { atomic { if :: parked[w] -> parked[w] = false; asleep[w] = false :: else -> skip fi } }

/* Under the lock: choose_keeper.  */
inline choose_keeper() {
  if
  :: free_count > (masters > 0 -> KEPT : 0) && keeper == NOBODY ->
     if
     :: free[0] -> keeper = 0
     :: free[1] -> keeper = 1
     fi;
     keeps[keeper] = true;
     wake(keeper)
  :: else -> skip
  fi
}

inline unlink(w) {
  assert(free[w] && alive[w] && mail[w] != 2);
  free[w] = false;
  free_count--;
  if :: keeper == w -> keeps[w] = false; keeper = NOBODY :: else -> skip fi
}

proctype worker(byte me)
{
  byte w;
  do
  :: mail[me] == 1 -> assert(seated[me]); mail[me] = 0; served[me] = 1
  :: mail[me] == 2 -> assert(!seated[me] && !free[me]); break
  :: mail[me] == 0 ->
     if
     :: keeps[me] ->
        atomic {                               /* ghcomp_pool_keep, under the lock */
          if
          :: keeper == me ->
             w = 0;
             do
             :: w < WORKERS && free_count > (masters > 0 -> KEPT : 0) ->
                if                             /* the keeper is the last */
                :: free[w] && (w != me || free_count == 1) -> unlink(w); mail[w] = 2; wake(w)
                :: else -> skip
                fi;
                w++
             :: else -> break
             od;
             if
             :: keeper == me && free_count <= (masters > 0 -> KEPT : 0) -> keeps[me] = false; keeper = NOBODY
             :: else -> skip
             fi
          :: else -> skip
          fi
        }
     :: else -> skip
     fi;
     parked[me] = true;                        /* ghcomp_parking_prepare */
     if
     :: mail[me] != 0 -> skip
     :: else ->
        if
        :: keeps[me] -> skip                   /* sleeps until the time-out */
        :: else ->
           atomic { if :: parked[me] -> asleep[me] = true :: else -> skip fi }
           !asleep[me]
        fi
     fi;
     parked[me] = false
  od;
  alive[me] = false
}

proctype master()
{
  byte w;
  atomic { masters++ }
  atomic {                                     /* ghcomp_pool_supply */
    if
    :: free[0] -> w = 0; unlink(0)
    :: free[1] && !free[0] -> w = 1; unlink(1)
    :: !free[0] && !free[1] && !alive[0] -> w = 0; alive[0] = true; mail[0] = 0; run worker(0)
    :: !free[0] && !free[1] && alive[0] && !alive[1] -> w = 1; alive[1] = true; mail[1] = 0; run worker(1)
    fi;
    seated[w] = true;
    choose_keeper()
  }
  served[w] = 0;
  mail[w] = 1;
  wake(w);
  served[w] == 1;
  atomic { seated[w] = false; free[w] = true; free_count++; choose_keeper() }
  atomic { masters--; choose_keeper() }
}

init { atomic { run master(); run master(); run master() } }
