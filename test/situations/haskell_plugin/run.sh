#!/bin/sh
# A C program loads a Haskell library before or after its first region, in a local or the global scope.
# The library's RTS and the one of libgomp.so.1 must not disturb each other.
# usage: run.sh [FOLDER]; FOLDER (default $RUNTIME, else build/lib) holds libgomp.so.1.
# GHC and CC name the compilers.  Exit status 77: there is no GHC.
set -u
here=$(cd "$(dirname "$0")" && pwd)
lib=$(cd "${1:-${RUNTIME:-build/lib}}" && pwd) || exit 1
GHC=${GHC:-ghc} CC=${CC:-gcc}
command -v "$GHC" >/dev/null 2>&1 || { echo "haskell_plugin: there is no $GHC"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failures=0

"$GHC" -v0 -O -shared -dynamic -fPIC -threaded -flink-rts -outputdir "$work/o" \
  -o "$work/libplugin.so" "$here/Plugin.hs" &&
  "$CC" -O2 -fopenmp "$here/host.c" -o "$work/host" -ldl || exit 1

# try SCOPE ORDER SUBSTRATE
try() {
  LD_LIBRARY_PATH=$lib timeout 20 "$work/host" "$work/libplugin.so" "$1" "$2" >"$work/out" 2>&1
  status=$?
  [ $status = 0 ] && [ "$(tail -n 1 "$work/out")" = "$3" ] && return
  echo "haskell_plugin: $1, $2: status $status, expected 0 and the substrate $3"
  sed 's/^/    /' "$work/out"
  failures=$((failures + 1))
}

try local after ghc
try local before ghc
try global after ghc
try global before ghc

[ "$failures" = 0 ] && echo "haskell_plugin: ok"
exit $((failures != 0))
