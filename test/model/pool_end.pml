/* How workers end (team/pool.md; code: team/pool.c, team/worker.c).  Masters begin, take workers from the free
   list or start them, give them back and end.  One free worker, the keeper, sleeps with a time-out that may
   pass at any moment, and then ends surplus workers: all but KEPT while there is a master, else all.

   Where the host does not share threads (`shares` is false; both are checked), a free worker has an owner: the master that
   has freed it.  Only that one takes it again, and when the master ends, so do its free workers.

   No worker is ended while a master has it, or taken after it was ended.  When the masters have ended, all
   workers end: no end state has a sleeping worker.  */
#define WORKERS 2
#define KEPT 1
#define NOBODY 255
#define OF_ANY 254

bool shares;
byte masters = 0, free_count = 0, keeper = NOBODY;
byte owner[WORKERS];                           /* of a free worker */
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

#define USUAL_OWNER (shares -> OF_ANY : me)
#define MAY_TAKE(w) (free[w] && owner[w] == USUAL_OWNER)

/* A region: a worker is taken or started, serves, and is given back.  */
inline compute() {
  atomic {                                     /* ghcomp_pool_supply */
    if
    :: MAY_TAKE(0) -> w = 0; unlink(0)
    :: MAY_TAKE(1) && !MAY_TAKE(0) -> w = 1; unlink(1)
    :: !MAY_TAKE(0) && !MAY_TAKE(1) && !alive[0] -> w = 0; alive[0] = true; mail[0] = 0; run worker(0)
    :: !MAY_TAKE(0) && !MAY_TAKE(1) && alive[0] && !alive[1] -> w = 1; alive[1] = true; mail[1] = 0; run worker(1)
    fi;
    seated[w] = true;
    choose_keeper()
  }
  served[w] = 0;
  mail[w] = 1;
  wake(w);
  served[w] == 1;
  atomic { seated[w] = false; free[w] = true; owner[w] = USUAL_OWNER; free_count++; choose_keeper() }
}

/* ghcomp_pool_end_owned: workers leave the pool under the lock, here one by one, and get their mail later.  */
inline end_owned() {
  do
  :: atomic {
       if
       :: free[0] && owner[0] == me -> w = 0; unlink(0)
       :: free[1] && owner[1] == me -> w = 1; unlink(1)
       :: else -> w = 0; break
       fi
     }
     atomic { mail[w] = 2; wake(w); w = 0 }
  od
}

proctype master(byte me)
{
  byte w;
  atomic { masters++ }
  compute();
  end_owned();
  atomic { masters--; choose_keeper() }
}

init {
  if :: shares = true :: shares = false fi;
  atomic { run master(0); run master(1); run master(2) }
}
