# How the two programs are built and started.  Read by demos/mpi/run.

parts="heat_grid heat_halo heat_steps heat_report"

# Objects for an MPI, each in its own folder: the types of the two differ under the same names.
compile() {
  mkdir -p "$out/$1" || return
  for part in heat heat_part $parts; do
    "mpicc.$1" -O2 -Wall -Wextra -fopenmp -c "demos/mpi/$part.c" -o "$out/$1/$part.o" || return
  done
}

objects() {
  folder=$1; shift
  for part in "$@"; do printf '%s ' "$out/$folder/$part.o"; done
}

build_c() {
  export OMPI_CC="${CC:-gcc}" MPICH_CC="${CC:-gcc}"
  # shellcheck disable=SC2046,SC2086 # lists
  compile "$1" && "mpicc.$1" -fopenmp $(objects "$1" heat $parts) -ldl -o "$out/heat-$1"
}

# Linked by mpicc, which knows MPI's libraries; tools/cabal-build builds the package.
build_haskell() {
  ghc=${GHC:-ghc}
  for tool in "$ghc" cabal; do
    command -v "$tool" >/dev/null 2>&1 || { echo "not run: $1, the Haskell program: there is no $tool (on Debian, as root: apt-get install ghc cabal-install libghc-primitive-dev libghc-vector-dev)"; return 1; }
  done
  # shellcheck disable=SC2046,SC2086 # lists
  tools/cabal-build lib:ghc-openmp >"$out/cabal.log" 2>&1 &&
    "$ghc" -v0 -O2 -Wall -threaded -rtsopts -with-rtsopts=-N -package-db "$build/cabal/packagedb/ghc-$("$ghc" --numeric-version)" -package ghc-openmp \
      -outputdir "$out/$1" demos/mpi/Heat.hs $(objects "$1" heat_part $parts) -pgml "mpicc.$1" -o "$out/heat-haskell-$1" && return
  wrong "$1: the Haskell program cannot be built: $(tail -n 1 "$out/cabal.log")"
  return 1
}

# The command line of a rank.
command_of() {
  case $1 in
    c) echo "$build/bin/ghcomp run -- $out/heat-$mpi" ;;
    libgomp) echo "$out/heat-$mpi" ;;
    haskell) echo "$out/heat-haskell-$mpi" ;;
  esac
}

# The runtime that the program must name.  If all teams of a rank have one thread, ours has not started any substrate.
served_by() {
  case $1 in c) echo "ghc: \|pthread\|none: no region has needed" ;; libgomp) echo libgomp ;; haskell) echo HaskellPool ;; esac
}
