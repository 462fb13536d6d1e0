# The differences between Open MPI and MPICH: packages, the names that Debian gives to programs of both, options.
# Read by demos/mpi/run.

processors=$(awk '/^Cpus_allowed_list/ { n = split($2, parts, ","); for (i = 1; i <= n; i++) { m = split(parts[i], ends, "-"); sum += ends[m] - ends[1] + 1 } print sum }' /proc/self/status)

# As root, Open MPI starts nothing unless two variables allow it, because a mistake in root's job may damage the machine.  Here root
# is the user who runs this script, usually in a container, and the job is the demo.
if [ "$(id -u)" = 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
# There is no other machine: processes are forked, and messages that do not use memory use loopback.
export OMPI_MCA_plm=isolated OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_tcp_if_include=lo
export HYDRA_LAUNCHER=fork HYDRA_IFACE=lo UCX_NET_DEVICES=lo

packages_of() {
  case $1 in openmpi) echo libopenmpi-dev openmpi-bin ;; mpich) echo libmpich-dev mpich ;; esac
}

launcher_of() {
  case $1 in openmpi) echo mpirun.openmpi ;; mpich) echo mpiexec.hydra ;; esac
}

# Not with -E: then Open MPI's wrapper does not name the folder of mpi.h.
is_installed() {
  command -v "mpicc.$1" >/dev/null 2>&1 && command -v "$(launcher_of "$1")" >/dev/null 2>&1 &&
    echo '#include <mpi.h>' | "mpicc.$1" -fsyntax-only -x c - >/dev/null 2>&1
}

# have MPI: succeeds if it is installed or can be installed; otherwise a line says what is missing.
have() {
  is_installed "$1" && return
  if [ -z "$quick" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing, which takes a minute: $(packages_of "$1")"
    # shellcheck disable=SC2046 # a list
    DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=60 $(packages_of "$1") >"$out/apt.log" 2>&1 </dev/null
    is_installed "$1" && return
    echo "not run: $1: apt-get cannot install it: $(grep '^E:' "$out/apt.log" | tail -n 1); all that apt-get said is in $out/apt.log"
    return 1
  fi
  echo "not run: $1: there is no $(launcher_of "$1"), or no mpicc.$1 that finds mpi.h; on Debian, as root: apt-get install $(packages_of "$1")"
  return 1
}

# launch RANKS OPTIONS... -- COMMAND...
launch() {
  launch_ranks=$1; shift
  launch_options=
  while [ "$1" != -- ]; do launch_options="$launch_options $1"; shift; done
  shift
  # shellcheck disable=SC2086 # options; a launcher that gets a signal to end also ends its ranks, a killed one does not
  timeout -k 10 "$limit" "$(launcher_of "$mpi")" -n "$launch_ranks" $launch_options "$@" </dev/null
}

# Ways to bind that many ranks, one on a line; with --quick only some of them.
policies_of() {
  case $1$quick in
    openmpi) openmpi_policies "$2" ;;
    openmpi1) openmpi_policies "$2" | grep -E -- '--bind-to (none|core)' ;;
    mpich) hydra_policies ;;
    mpich1) hydra_policies | grep -E -- '-bind-to (none|core)$' ;;
  esac
}

# many_of RANKS PROCESSORS: options that allow this machine to run RANKS ranks with PROCESSORS processors each.
many_of() {
  [ $(($1 * $2)) -le "$processors" ] || echo --oversubscribe
}

# openmpi_policies RANKS.  If there are more ranks than processors, Open MPI needs two permissions: to start them (--oversubscribe),
# and to bind two of them to the same processor (overload-allowed).
openmpi_policies() {
  many=$(many_of "$1" 1)
  for object in none hwthread core l1cache l2cache l3cache socket numa board; do
    qualifier=; [ -n "$many" ] && [ $object != none ] && qualifier=:overload-allowed
    echo "--bind-to $object$qualifier $many"
  done
  [ -n "$many" ] || echo "--bind-to cpu-list:ordered --cpu-list 0,1"
  for object in slot hwthread core l1cache l2cache l3cache socket numa node "ppr:$1:node" "ppr:$1:socket"; do echo "--map-by $object $many"; done
  for each in 1 2; do
    [ $each -gt "$processors" ] || for object in slot socket node; do echo "--map-by $object:PE=$each $(many_of "$1" $each)"; done
  done
  for i in $(seq "$1"); do uname -n; done >"$out/hosts-$1"
  echo "--map-by seq --hostfile $out/hosts-$1 $many"
  echo "--mca rmaps_dist_device auto --map-by dist $many"
}

hydra_policies() {
  for object in none rr hwthread core l1cache l2cache l3cache socket package numa machine gpu; do echo "-bind-to $object"; done
  [ "$processors" -lt 2 ] || printf '%s\n' "-bind-to hwthread:2" "-bind-to core:2" "-bind-to user:0,1" "-bind-to user:0+1"
  for object in hwthread core socket numa; do echo "-bind-to core -map-by $object"; done
}

# Every rank may use all processors.
unbound_of() {
  case $1 in openmpi) echo "--bind-to none --oversubscribe" ;; mpich) echo "-bind-to none" ;; esac
}

# Ways to give the first of two ranks one processor and the second two, one on a line; Open MPI 4 and 5 use different words.
uneven_of() {
  case $1 in
    openmpi) printf 'rank 0=%s slot=0\nrank 1=%s slot=0,1\n' "$(uname -n)" "$(uname -n)" >"$out/rankfile"
      printf '%s\n' "--rankfile $out/rankfile" "--map-by rankfile:file=$out/rankfile" ;;
    mpich) echo "-bind-to user:0,0+1" ;;
  esac
}
