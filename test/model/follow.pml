/* GHC.OpenMP.Loop.Follow: deputies in bodies that are promised a thread each, and who follows them.

   A deputy is inside of calls, one in another; each has a deputy of its own, with a share.  The caller of the innermost one waits for
   that one's deputy.  It sleeps at once, or, if it has promised a follower, after it has run once more.  A deputy may be blocked in a
   body until none of the shares is held: until then bodies wait that its own may wait for.  It may find another thread's entry in place
   of its own, and begins a new list.

   While the innermost deputy is blocked and a share is held, a follower lives that will take it, or a caller will run that starts one:
   else nobody can go on, which spin finds.  A follower never takes a share while the innermost deputy can go on.  */
#define CALLS 4
#define LISTS 3

bool held[CALLS];       /* its share belongs to the call's deputy, and is on a list */
bool blocked = false;   /* the innermost deputy is */
byte own = 0;           /* the list that the innermost deputy finds */
byte levels[LISTS];     /* the calls on it, a bit each */
bool alone[LISTS], promised[LISTS];
byte version[LISTS];    /* another object each time */
bool runs[CALLS];       /* the call's caller has not slept since it promised a follower */

#define holds_none (!held[0] && !held[1] && !held[2] && !held[3])

proctype follower(byte known)
{
  byte before, seen, call;
  bool is_held;
look:
  atomic { before = version[known]; seen = levels[known] };
  call = 0;
  do
  :: call < CALLS && (seen & (1 << call)) ->
     is_held = held[call];
     if
     :: is_held ->
        atomic { /* by a thread that it starts, in one call on the thread's Capability */
          if
          :: blocked -> held[call] = false
          :: else
          fi
        };
        goto look
     :: else
     fi;
     call++
  :: call < CALLS && !(seen & (1 << call)) -> call++
  :: call == CALLS -> break
  od;
  atomic {
    if
    :: version[known] == before -> alone[known] = true; levels[known] = 0; version[known]++
    :: else -> goto look
    fi
  }
}

/* The caller of this call, which has promised a follower for the list, runs again.  */
proctype promises(byte call, known)
{
  atomic {
    if
    :: runs[call] && promised[known] ->
       promised[known] = false;
       version[known]++;
       if
       :: levels[known] == 0 -> alone[known] = true
       :: else -> run follower(known)
       fi
    :: else
    fi
  }
}

inline follow(call)
{
  held[call] = true;
  if
  :: own + 1 < LISTS -> /* another thread's entry */
     atomic { own++; levels[own] = 1 << call; promised[own] = true; runs[call] = true; run promises(call, own) }
  :: atomic {
       if
       :: alone[own] ->
          alone[own] = false; levels[own] = 1 << call; version[own]++;
          promised[own] = true; runs[call] = true; run promises(call, own)
       :: else -> levels[own] = levels[own] | (1 << call); version[own]++
       fi
     }
  fi;
  list[call] = own
}

/* The call's deputy has ended, and its caller goes on.  */
inline unfollow(call)
{
  held[call] = false;
  atomic {
    runs[call] = false;
    if
    :: levels[list[call]] & (1 << call) ->
       levels[list[call]] = levels[list[call]] & ~(1 << call);
       version[list[call]]++;
       if
       :: promised[list[call]] && levels[list[call]] == 0 -> promised[list[call]] = false; alone[list[call]] = true
       :: else
       fi
    :: else
    fi
  }
}

inline body()
{
  if
  :: blocked = true; holds_none; blocked = false
  :: true
  fi
}

active proctype deputies()
{
  byte list[CALLS];
  alone[0] = true;
  follow(0); body();
    follow(1); body(); unfollow(1);
    follow(2); body();
      follow(3); body(); unfollow(3);
    unfollow(2);
  body(); unfollow(0)
}
