/* task/children.md: what children report to their parent.  The parent P creates two children, may
   wait for them in a taskwait, and completes.  Child 0 creates a child of its own, G, and may
   complete before it.  The taskwait ends, but not before the children are complete.  Each header is
   put back exactly once, after its last use.

   `from_children` is two variables here, which change in one step, as the halves of one word do.  */
#define ALL_FREE 100 /* far above every count */
#define P 0
#define C0 1
#define C1 2
#define G 3
#define TOP 4
#define NONE 5

byte told_complete[5], told_free[5], created[5], put[5], parent[5];
bool flag, asleep, waits;
byte target;
bool child_complete[5];

/* `c` is 1 if the child is complete, `f` if the child's header is free.  */
inline tell(to, c, f)
{
  at = to; cc = c; ff = f;
  do
  :: atomic {
       assert(put[at] == 0);
       told_complete[at] = told_complete[at] + cc;
       told_free[at] = told_free[at] + ff;
       saw_flag = (at == P && flag);
       seen = told_complete[at];
       all = (told_free[at] == ALL_FREE)
     };
     /* The target is read later, and may be that of another task then.  */
     if
     :: saw_flag && (seen == target) -> asleep = false
     :: else
     fi;
     if
     :: all -> put[at]++; assert(put[at] == 1); at = parent[at]; cc = 0; ff = 1
     :: else -> break
     fi
  od
}

inline end_task(me)
{
  child_complete[me] = true;
  if
  :: told_free[me] == created[me] ->
     put[me]++; assert(put[me] == 1);
     tell(parent[me], 1, 1)
  :: else ->
     tell(parent[me], 1, 0);
     atomic {
       mine = (told_free[me] == created[me]);
       told_free[me] = told_free[me] + (ALL_FREE - created[me])
     };
     if
     :: mine -> put[me]++; assert(put[me] == 1); tell(parent[me], 0, 1)
     :: else
     fi
  fi
}

proctype leaf(byte me)
{
  byte at, cc, ff, seen; bool saw_flag, all, mine;
  end_task(me)
}

proctype child0()
{
  byte at, cc, ff, seen; bool saw_flag, all, mine;
  created[C0]++;
  run leaf(G);
  end_task(C0)
}

proctype root()
{
  byte at, cc, ff, seen; bool saw_flag, all, mine;
  created[P]++;
  run child0();
  created[P]++;
  run leaf(C1);
  if
  :: waits ->
     do
     :: told_complete[P] == created[P] -> break
     :: else ->
        target = created[P];
        flag = true;
        if
        :: told_complete[P] != created[P] -> skip
        :: else -> flag = false; break
        fi;
        /* A thread announces that it sleeps before it checks the count (parking.pml).  Here the two
           are one step, which finds the count complete after an earlier wake-up.  */
        atomic { if :: told_complete[P] != created[P] -> asleep = true :: else fi };
        !asleep;
        flag = false
     od;
     assert(child_complete[C0] && child_complete[C1]);
     if
     :: told_free[P] == created[P] -> told_free[P] = 0; told_complete[P] = 0; created[P] = 0
     :: else
     fi
  :: else
  fi;
  end_task(P)
}

init {
  parent[P] = TOP; parent[C0] = P; parent[C1] = P; parent[G] = C0; parent[TOP] = NONE;
  if :: waits = true :: waits = false fi;
  run root();
  (_nr_pr == 1);
  assert(put[P] == 1 && put[C0] == 1 && put[C1] == 1 && put[G] == 1);
  assert(told_complete[TOP] == 1 && told_free[TOP] == 1 && put[TOP] == 0)
}
