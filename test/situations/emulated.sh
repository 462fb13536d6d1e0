# Valgrind and emulators of user programs keep account of the terabyte of addresses that GHC's RTS reserves.  A program that
# runs under one of them has plain threads, without a message, and `ghcomp info` says so; unless it asks for the RTS.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ghcomp=$(dirname "$RUNTIME")/bin/ghcomp
unset GHCOMP_SUBSTRATE
failures=0
fail() { echo "emulated: $*"; failures=1; }

plain() {
  by=$1; shift
  "$@" "$ghcomp" info >"$work/info" 2>&1 || fail "$by: ghcomp info ended with status $?"
  grep -q '^substrate  *pthread: ' "$work/info" || fail "$by: expected plain threads"
  grep -q "^reason  *this program runs under $by" "$work/info" || fail "$by is not in the reason"
  grep -q '^ghcomp: ' "$work/info" && fail "$by: expected no message"
  [ $failures = 0 ] || cat "$work/info"
}

command -v valgrind >/dev/null || { echo "emulated: there is no valgrind; on Debian, as root: apt-get install valgrind"; exit 1; }
plain memcheck valgrind -q
plain none valgrind -q --tool=none
for emulator in qemu-"$(uname -m)" qemu-"$(uname -m)"-static; do # 200 MB, so where it happens to be installed
  command -v "$emulator" >/dev/null && plain "$emulator" "$emulator"
done

"$ghcomp" info >"$work/info" 2>"$work/settings" || fail "ghcomp info ended with status $?"
grep -q 'this program runs under' "$work/info" && fail "nothing emulates here" "$(cat "$work/info")"
if grep -q '^substrate  *ghc' "$work/info"; then
  GHCOMP_SUBSTRATE=ghc valgrind -q --tool=none "$ghcomp" info 2>"$work/settings" | grep -q '^substrate  *ghc: ' || fail "the wish for the RTS was not heard"
fi
exit $failures
