# What the tests in a root share; test puts it in front of each.
export OMP_NUM_THREADS=2

# served: the counters of the runtime name a region, and the program says what it always says
is_served() { GHCOMP_STATS=1 "$@" >/tmp/said.out 2>/tmp/said.err && grep -q '^thread 1 of 2$\|^[0-9][0-9.]*$' /tmp/said.out && grep -qE '^ghcomp: regions +[1-9]' /tmp/said.err || { echo "not served: $*"; cat /tmp/said.out /tmp/said.err; return 1; }; }
is_not_served() { GHCOMP_STATS=1 "$@" >/tmp/said.out 2>/tmp/said.err && grep -q '^thread 1 of 2$' /tmp/said.out && ! grep -q '^ghcomp:' /tmp/said.err || { echo "served, or failed: $*"; cat /tmp/said.out /tmp/said.err; return 1; }; }
