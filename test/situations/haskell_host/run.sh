#!/bin/sh
# Haskell programs as hosts: the library must find their RTS, start no second one and
# leave their buffered output alone.
# usage: run.sh [FOLDER]; FOLDER (default $RUNTIME, else build/lib) holds libgomp.so.1.
# GHC and CC name the compilers.  Exit status 77: there is no GHC.
set -u
here=$(cd "$(dirname "$0")" && pwd)
lib=$(cd "${1:-${RUNTIME:-build/lib}}" && pwd) || exit 1
GHC=${GHC:-ghc} CC=${CC:-gcc}
command -v "$GHC" >/dev/null 2>&1 || { echo "haskell_host: there is no $GHC"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failures=0

fail() { echo "haskell_host: $program: $*"; sed 's/^/    /' "$work/out" "$work/err"; failures=$((failures + 1)); }
has() { grep -qxF -- "$1" "$work/out" || fail "expected the line '$1'"; }
messages() { grep -c '^ghcomp: ' "$work/err"; }

# build NAME LIBRARY GHC-OPTION...: makes $work/NAME
build() {
  name=$1 library=$2; shift 2
  "$GHC" -v0 -O "$@" -outputdir "$work/$name.o" -o "$work/$name" "$here/Host.hs" \
    -L"$work" -l"$library" -optl-Wl,-rpath,"$work" || { program=$name; : >"$work/out"; : >"$work/err"; fail "does not build"; return 1; }
}

# start NAME ARGUMENT...: runs the program in a pipe, and checks what holds for all programs
start() {
  program=$1; shift
  { LD_LIBRARY_PATH=$lib timeout 20 "$work/$program" "$@" 2>"$work/err"; echo "status $?" >"$work/status"; } | cat >"$work/out"
  [ "$(cat "$work/status")" = "status 3" ] || fail "expected exit status 3, not $(cat "$work/status")"
  printf '\n' >>"$work/out"
  has "the end, without a newline"
  has "second rts 0"
  has "team 3"
  has "team in child 3"
  has "many True"
  has "as told 1"
  has "named workers 2"
}

"$CC" -O2 -fopenmp -shared -fPIC "$here/work.c" -o "$work/libwork.so" -ldl &&
  "$CC" -O2 -fopenmp -shared -fPIC -DEARLY "$here/work.c" -o "$work/libearly.so" -ldl || exit 1

build static work -threaded -rtsopts && {
  start static +RTS -N2
  has "default team 2"
  has "substrate ghc"
  has "describe ghc: this Haskell program's own runtime system, 2 Capabilities"
  [ "$(messages)" = 0 ] || fail "expected no message"
  start static +RTS -N3
  has "default team 3"
  start static
  has "default team 1"
  has "substrate ghc"
}
build dynamic work -threaded -dynamic -rtsopts && {
  start dynamic +RTS -N2
  has "default team 2"
  has "substrate ghc"
  [ "$(messages)" = 0 ] || fail "expected no message"
}
build single work && {
  start single
  has "substrate pthread"
  [ "$(messages)" = 1 ] || fail "expected one message, not $(messages)"
  grep -q 'not linked with -threaded' "$work/err" || fail "expected the message to name -threaded"
}
build single_dynamic work -dynamic && {
  start single_dynamic
  has "substrate pthread"
  [ "$(messages)" = 1 ] || fail "expected one message, not $(messages)"
}
build stripped work -threaded -rtsopts && strip "$work/stripped" && {
  start stripped +RTS -N2
  has "substrate pthread"
  [ "$(messages)" = 0 ] || fail "expected no message"
}
build early early -threaded -rtsopts && {
  start early +RTS -N2
  has "substrate ghc"
}

# The places of the RTS's fields are right.
program=room
if "$GHC" -v0 -O -threaded -rtsopts -outputdir "$work/room.o" -o "$work/room" "$here/Room.hs" -L"$work" -lwork -optl-Wl,-rpath,"$work"; then
  for substrate in ghc pthread; do
    GHCOMP_SUBSTRATE=$substrate LD_LIBRARY_PATH=$lib timeout 60 "$work/room" +RTS -N1 >"$work/out" 2>"$work/err" || fail "exit status $?"
    has "hardly ever for nobody True"
    has "room was made True"
    has "the other thread gets on True"
  done
else
  : >"$work/out"; : >"$work/err"; fail "does not build"
fi

# Regions that wait for each other end, with what is free, and with all their threads.
program=exchange
if "$GHC" -v0 -O -threaded -rtsopts -outputdir "$work/exchange.o" -o "$work/exchange" "$here/Exchange.hs" -L"$work" -lwork -optl-Wl,-rpath,"$work"; then
  LD_LIBRARY_PATH=$lib timeout 60 "$work/exchange" +RTS -N2 >"$work/out" 2>"$work/err" || fail "exit status $?"
  has "each has a thread True"
  has "values are right True"
  OMP_DYNAMIC=false LD_LIBRARY_PATH=$lib timeout 60 "$work/exchange" +RTS -N2 >"$work/out" 2>"$work/err" || fail "OMP_DYNAMIC=false: exit status $?"
  has "both have all threads True"
  has "values are right True"
else
  : >"$work/out"; : >"$work/err"; fail "does not build"
fi

# MALLOC_PERTURB_ overwrites what the RTS has freed: a thread that still reads it fails.
program=leaves
if "$CC" -O2 -fopenmp -shared -fPIC "$here/leaves.c" -o "$work/libleaves.so" &&
  "$GHC" -v0 -O -threaded -rtsopts -outputdir "$work/leaves.o" -o "$work/leaves" "$here/Leaves.hs" -L"$work" -lleaves -optl-Wl,-rpath,"$work"; then
  MALLOC_PERTURB_=165 LD_LIBRARY_PATH=$lib timeout 20 "$work/leaves" +RTS -N2 >"$work/out" 2>"$work/err" || fail "exit status $?"
  has "after the end: 0 wrong"
else
  : >"$work/out"; : >"$work/err"; fail "does not build"
fi

[ "$failures" = 0 ] && echo "haskell_host: ok"
exit $((failures != 0))
