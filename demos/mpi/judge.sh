# Runs the programs and judges the results.  Read by demos/mpi/run.

wrong() {
  failed=$((failed + 1))
  echo "FAILED $1"
}

# with "NAME=VALUE..." COMMAND...: runs COMMAND with these variables, which both launchers pass on to the ranks.
with() {
  settings=$1; shift
  # shellcheck disable=SC2163,SC2086 # their names and values
  export $settings
  "$@"
  for setting in $settings; do unset "${setting%%=*}"; done
  settings=
}
settings=

# probe RANKS OPTIONS...: sets $found to the number of processors that each rank may use under these options, without any OpenMP
# runtime.  Fails if the launcher starts no ranks.
probe() {
  # shellcheck disable=SC2016 # for the ranks
  ask='echo "probe ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} $(sed -n "s/^Cpus_allowed_list:[[:space:]]*//p" /proc/self/status)"'
  probe_ranks=$1
  launch "$@" -- /bin/sh -c "$ask" >"$out/probe" 2>&1
  found=$(sort -n -k2 "$out/probe" | awk '/^probe/ { sum = 0; n = split($3, parts, ","); for (i = 1; i <= n; i++) { m = split(parts[i], ends, "-"); sum += ends[m] - ends[1] + 1 } printf "%s%d", sep, sum; sep = " " }')
  refusal=$(grep -avE '^(-+|probe .*| *)$' "$out/probe" | head -n 3 | sed 's/^\[[^]]*\] *//' | tr '\n' ' ')
  [ "$(echo "$found" | wc -w)" = "$probe_ranks" ]
}

show() {
  printf '%-8s %d ranks  %-46s %-22s threads %-8s %s\n' "$mpi" "$1" "$2${settings:+ $settings}" "$3" "$4" "$5"
}

# run_right PROGRAM RANKS OPTIONS THREADS [ARGUMENT...]: expects one line with THREADS threads of each rank and a right sum.
run_right() {
  program=$1 ranks=$2 options=$3 threads=$4; shift 4
  # shellcheck disable=SC2046,SC2086 # command and options
  launch "$ranks" $options -- $(command_of "$program") "$@" >"$out/run.out" 2>"$out/run.err"
  status=$?
  line=$(grep ' ranks; ' "$out/run.out")
  what=${line%%, [0-9]*}
  [ "$program" = libgomp ] && what="$what (libgomp)"
  if [ $status = 0 ] && [ "$(grep -c ' ranks; ' "$out/run.out")" = 1 ] && echo "$line" | grep -q "; threads $threads; \($(served_by "$program")\).*; sum right$"; then
    passed=$((passed + 1))
    show "$ranks" "$options" "$what" "$threads" right
    return
  fi
  show "$ranks" "$options" "${what:-$program}" "$(echo "$line" | sed -n 's/.*; threads \([0-9 ]*\);.*/\1/p')" "WRONG: status $status, expected threads $threads"
  head -n 15 "$out/run.out" "$out/run.err"
  failed=$((failed + 1))
}

# Whether processes of the demo's programs still run after ten seconds.
some_are_left() {
  waited=0
  while [ $waited -lt 100 ]; do
    for process in /proc/[0-9]*; do
      case $(readlink "$process/exe") in "$out"/*) waited=$((waited + 1)); sleep 0.1; continue 2 ;; esac
    done
    return 1
  done
}

# run_dies PROGRAM ARGUMENT: the launcher must end the job with an error and in time, and no process may be left.
run_dies() {
  options=$(unbound_of "$mpi")
  # shellcheck disable=SC2046,SC2086 # command and options
  launch 2 $options -- $(command_of "$1") "$2" >"$out/run.out" 2>&1
  status=$?
  case $status in
    0 | 124) why="the launcher's status is $status" ;;
    *) why=; some_are_left && why="processes are left" ;;
  esac
  [ -z "$why" ] && grep -q 'sum right' "$out/run.out" && why="a sum came out"
  show 2 "$options" "$1, $2" "-" "${why:-the job ends, status $status}"
  if [ -z "$why" ]; then passed=$((passed + 1)); else head -n 15 "$out/run.out"; failed=$((failed + 1)); fi
}

# `ghcomp info` under the launcher must describe its own rank.
information() {
  everywhere=$(unbound_of "$mpi")
  for options in "$everywhere" "$(policies_of "$mpi" 2 | grep 'bind-to core' | head -n 1)"; do
    # shellcheck disable=SC2086 # options
    probe 2 $options || continue
    each=${found%% *}
    # shellcheck disable=SC2086 # options
    launch 2 $options -- "$build/bin/ghcomp" info >"$out/run.out" 2>/dev/null
    status=$?
    if [ $status = 0 ] && [ "$(grep -c "^team of a region  *$each\$" "$out/run.out")" = 2 ] && [ "$(grep -c "^affinity mask allows  *$each\$" "$out/run.out")" = 2 ]; then
      passed=$((passed + 1)); show 2 "$options" "ghcomp info" "$found" right
    else
      wrong "$mpi $options: ghcomp info, status $status, expected teams of $each"; cat "$out/run.out"
    fi
  done
}
