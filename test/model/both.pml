/* GHC.OpenMP.Task both, and GHC.OpenMP.Loop.Ended: a creator executes the first action, and then the second if no thief has it.  An
   action that fails ends the other one: a thrower of its own throws at whoever executes that.  Another thread may throw at the
   creator.

   An action that only an exception ends does not last for ever.  No exception arrives that was to end an action which has ended.
   When both returns or throws, the second action has ended and never begins.  */
mtype = { NOT_BEGUN, RUNS, ENDING, OVER };            /* of a side */
mtype = { NOTHING, DONE, FAILED, CANCELLED, STRUCK }; /* how an action has ended */
#define FIRST 0
#define SECOND 1
#define NOBODY 0
#define CREATOR 1
#define THIEF 2

mtype side[2];
mtype outcome = NOTHING;              /* of the second action, by the thief */
byte owner = NOBODY;                  /* of the second action: its position in the deque */
bool inside[2];                       /* somebody executes the action, and exceptions arrive */
bool flying[2], killed[2];            /* the thrower's exception; the thrower has got one */
bool will_fail[2];                    /* the action */
bool outside_throws, outside = false; /* at the creator; it is on its way */
bool over = false;                    /* both has returned */

/* One thread for each call of `end`.  */
proctype thrower(byte s)
{
  bool mine = false;
  atomic {
    if
    :: side[s] == RUNS -> side[s] = ENDING; mine = true
    :: else
    fi
  };
  if
  :: mine -> atomic {
       if
       :: !killed[s] -> flying[s] = true
       :: else
       fi
     }
  :: else
  fi
}

inline end_side(s)
{
  atomic {
    if
    :: side[s] == NOT_BEGUN -> side[s] = OVER
    :: side[s] == RUNS -> run thrower(s)
    :: else
    fi
  }
}

/* With exceptions masked.  */
inline retire(s)
{
  atomic {
    if
    :: side[s] == ENDING -> killed[s] = true; flying[s] = false
    :: else
    fi;
    side[s] = OVER
  }
}

/* `lasts`: only an exception ends the action.  `at_creator`: what is thrown from outside strikes it.  */
inline execute(s, lasts, at_creator, how)
{
  inside[s] = true;
  if
  :: atomic { !will_fail[s] -> how = DONE; inside[s] = false }
  :: atomic { will_fail[s] -> how = FAILED; inside[s] = false }
  :: atomic { flying[s] -> assert(side[s] == ENDING); flying[s] = false; how = CANCELLED; inside[s] = false }
  :: atomic { at_creator && outside -> outside = false; how = STRUCK; inside[s] = false }
  :: lasts && !will_fail[s];
     if
     :: atomic { flying[s] -> assert(side[s] == ENDING); flying[s] = false; how = CANCELLED; inside[s] = false }
     :: atomic { at_creator && outside -> outside = false; how = STRUCK; inside[s] = false }
     fi
  fi
}

proctype thief()
{
  mtype how = NOTHING;
  bool begins;
  atomic {
    owner == NOBODY -> owner = THIEF
  } unless { owner == CREATOR || over };
  if
  :: owner == THIEF ->
     atomic {
       begins = side[SECOND] == NOT_BEGUN;
       if
       :: begins -> side[SECOND] = RUNS
       :: else -> how = CANCELLED
       fi
     };
     if
     :: begins ->
        execute(SECOND, outside_throws || will_fail[FIRST], false, how);
        retire(SECOND)
     :: else
     fi;
     if
     :: how != DONE -> end_side(FIRST)
     :: else
     fi;
     outcome = how
  :: else
  fi
}

/* Exceptions from outside arrive later.  */
inline end_second()
{
  end_side(SECOND);
  outcome != NOTHING
}

proctype creator()
{
  mtype how = NOTHING;
  bool mine;
  execute(FIRST, outside_throws || (owner == THIEF && will_fail[SECOND]), true, how);
  atomic {
    mine = owner == NOBODY;
    if
    :: mine -> owner = CREATOR
    :: else
    fi
  };
  if
  :: mine && how == DONE -> execute(SECOND, outside_throws, true, how)
  :: mine && how != DONE
  :: !mine ->
     retire(FIRST);
     if
     :: how == DONE ->
        if
        :: outcome != NOTHING
        :: atomic { outside -> outside = false; how = STRUCK }; end_second()
        fi
     :: how == CANCELLED -> outcome != NOTHING; assert(outcome == FAILED)
     :: how == FAILED || how == STRUCK -> end_second()
     fi
  fi;
  over = true;
  assert(!inside[SECOND] && !flying[FIRST] && !flying[SECOND]);
  assert(owner == CREATOR || side[SECOND] == OVER)
}

init
{
  side[FIRST] = RUNS;
  side[SECOND] = NOT_BEGUN;
  if
  :: will_fail[FIRST] = true
  :: skip
  fi;
  if
  :: will_fail[SECOND] = true
  :: skip
  fi;
  if
  :: outside_throws = true; outside = true
  :: skip
  fi;
  atomic { run creator(); run thief() }
}
