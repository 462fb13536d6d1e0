/* work/own_parts.h and own_parts.c: members draw chunks from their own parts, and take halves of other parts.
   Every chunk is executed once.  The member that executes the loop's last chunk executes none after it.  No
   member leaves while a chunk is neither executed nor taken by a member.  A compare-and-swap is one step, and
   the store of a taken half is another.

   All members of a team take part.  Of a Haskell loop (cbits/Loop.md), member 0 takes part, and each other
   member may or may not.  If there is a chunk for each member, and all members take part, the chunks' bodies
   may wait for each other.  */
#define MEMBERS 3

byte chunks; /* MEMBERS, or one more */
bool meet;   /* each body waits until all have begun */
byte first[MEMBERS], end_[MEMBERS];
bool touched[MEMBERS];
bool last_taken;
byte executed[MEMBERS + 1];
byte begun = 0, over = 0;

#define LAST (chunks - 1)
#define bound(m) (((m) * LAST + MEMBERS - 1) / MEMBERS)

inline execute(c) {
  assert(!took_last_chunk);
  atomic { executed[c]++; assert(executed[c] == 1); begun++ }
  !meet || begun == chunks
}

/* Draws one chunk of the member's own part; to draw several only saves time.  */
inline draw() {
  atomic {
    found = false;
    if
    :: first[me] < end_[me] -> c = first[me]; first[me]++; found = true
    :: else -> skip
    fi
  }
}

inline take_half(v) {
  atomic {                                          /* an untouched part gets its bounds */
    if
    :: !touched[v] -> touched[v] = true; first[v] = bound(v); end_[v] = bound(v + 1)
    :: else -> skip
    fi
  }
  atomic {                                          /* ghcomp_range_steal */
    took = 0;
    if
    :: first[v] < end_[v] -> took = end_[v] - first[v] - (end_[v] - first[v]) / 2; from = end_[v] - took;
       end_[v] = from
    :: else -> skip
    fi
  }
  if
  :: took != 0 -> atomic { first[me] = from; end_[me] = from + took }  /* ghcomp_range_set */
  :: else -> skip
  fi
}

proctype member(byte me) {
  byte c, took, from, v, k;
  bool found, took_last_chunk = false, nothing;
  if
  :: me > 0 && !meet -> goto gone                   /* it does not take part */
  :: true
  fi;
  atomic {
    if
    :: !touched[me] -> touched[me] = true; first[me] = bound(me); end_[me] = bound(me + 1)
    :: else -> skip                                 /* a thief has begun it */
    fi
  }
  do
  :: !took_last_chunk ->
     draw();
     if
     :: found -> execute(c)
     :: else ->
        nothing = true; k = 1;
        do
        :: k < MEMBERS && nothing ->
           v = (me + k) % MEMBERS;
           take_half(v);
           if :: took != 0 -> nothing = false :: else -> k++ fi
        :: else -> break
        od;
        if
        :: nothing ->
           atomic { found = !last_taken; last_taken = true } /* take_last */
           if
           :: found -> execute(LAST); took_last_chunk = true
           :: else -> break
           fi
        :: else -> skip
        fi
     fi
  :: took_last_chunk -> break
  od;
gone:
  over++
}

init {
  byte i = 0;
  atomic {
    if
    :: chunks = MEMBERS; meet = true
    :: chunks = MEMBERS
    :: chunks = MEMBERS + 1
    fi;
    do
    :: i < MEMBERS -> run member(i); i++
    :: else -> break
    od
  }
  over == MEMBERS;
  i = 0;
  do
  :: i < chunks -> assert(executed[i] == 1); i++
  :: else -> break
  od
}
