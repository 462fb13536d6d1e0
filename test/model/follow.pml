/* GHC.OpenMP.Loop.Follow: a thread in bodies that are promised a thread each, and who follows it.

   The thread is inside of calls, one in another; it holds a share of each.  It may be blocked in a body until none of its shares is
   held: until then bodies wait that its own may wait for.  It may find another thread's entry in place of its own, and begins a new list.

   While the thread is blocked and holds a share, a follower lives that will take it: else nobody can go on, which spin finds.  */
#define CALLS 4
#define LISTS 3

bool held[CALLS];       /* its share belongs to the thread, and is on a list */
bool blocked = false;
byte own = 0;           /* the list that the thread finds */
byte levels[LISTS];     /* the calls on it, a bit each */
bool alone[LISTS];
byte version[LISTS];    /* another object each time */

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

inline follow(call)
{
  held[call] = true;
  if
  :: own + 1 < LISTS -> /* another thread's entry */
     own++;
     levels[own] = 1 << call;
     run follower(own)
  :: atomic {
       if
       :: alone[own] -> alone[own] = false; levels[own] = 1 << call; version[own]++; run follower(own)
       :: else -> levels[own] = levels[own] | (1 << call); version[own]++
       fi
     }
  fi
}

inline unfollow(call)
{
  held[call] = false;
  atomic {
    if
    :: levels[own] & (1 << call) -> levels[own] = levels[own] & ~(1 << call); version[own]++
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

active proctype thread()
{
  alone[0] = true;
  follow(0); body();
    follow(1); body(); unfollow(1);
    follow(2); body();
      follow(3); body(); unfollow(3);
    unfollow(2);
  body(); unfollow(0)
}
