# ./start with an apt-get that fails in each way that it can: ./start must print one clear message and stop.
# tools/minimal-root runs it with the real apt-get.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin=$work/bin user=0 failures=0
mkdir "$bin"
for tool in sh cat sed grep awk df sort paste tail mktemp rm dirname; do ln -s "$(command -v $tool)" "$bin/$tool"; done

# tool NAME SCRIPT: puts a command in place of the system's
tool() { printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"; chmod +x "$bin/$1"; }
tool dpkg-query 'exit 1'
tool id 'echo ${FIRST_COMMAND_USER:-0}'
tool make "echo make \"\$@\""

# try STATUS LINES TEXT COMMAND...: expects this exit status and so many lines of output, one of which has TEXT
try() {
  status=$1 lines=$2 text=$3; shift 3
  env PATH="$bin" TMPDIR="$work" FIRST_COMMAND_USER=$user "$@" >"$work/out" 2>&1; is=$?
  [ $is = "$status" ] && [ "$(wc -l <"$work/out")" = "$lines" ] && grep -qF -- "$text" "$work/out" && return
  echo "first_command: $*: status $is, expected $status, $lines lines and '$text' in:"
  sed 's/^/    /' "$work/out"
  failures=1
}

# apt_fails MESSAGE TEXT: apt-get fails with MESSAGE, and ./start must say TEXT
apt_fails() {
  tool apt-get "[ \"\$1\" = update ] || { echo '$1'; exit 100; }"
  try 1 4 "$2" ./start demo
  try 1 4 'Wanted: gcc libc6-dev' ./start demo
  log=$(sed -n 's/^All that apt-get said is in //p' "$work/out")
  grep -qF -- "$1" "$log" || { echo "first_command: the log does not have '$1'"; failures=1; }
}

tool apt-get 'echo noise; echo noise >&2'
try 0 2 'installing, which takes some minutes: gcc libc6-dev ghc' ./start demo
try 0 2 'make --no-print-directory demo' ./start demo
try 0 2 'make --no-print-directory test' ./start test
try 0 2 'make --no-print-directory test-quick' ./start test quick
[ -z "$(find "$work" -name '*apt*' -type f ! -path "$bin/*")" ] || { echo "first_command: a log is left behind"; failures=1; }
apt_fails 'E: You do not have enough free space in /var/cache/apt/archives/.' 'there is not enough space'
apt_fails 'dpkg: error processing archive: cannot copy: No space left on device' 'there is not enough space'
apt_fails 'E: Failed to fetch http://deb.debian.org/x  Temporary failure resolving deb.debian.org' 'servers cannot be reached'
apt_fails 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7' 'another apt-get is at work'
apt_fails 'E: Unable to locate package gcc-12-source' 'have no gcc-12-source: it was made for Debian 12'
apt_fails 'E: Sub-process /usr/bin/dpkg returned an error code (1)' 'E: Sub-process /usr/bin/dpkg'
user=1000
try 1 1 'As root: apt-get install gcc libc6-dev ghc' ./start demo
try 1 1 'gcc-12-source' ./start test
user=0
rm "$bin/apt-get" "$bin/make"
try 1 2 'there is no make' ./start demo
tool make "echo make \"\$@\"" && tool gcc : && tool ghc :
try 0 2 "needs these (Debian's names): libc6-dev" ./start demo # a tool that did not come with a package counts
tool dpkg-query 'echo installed'
try 0 1 'make --no-print-directory demo' ./start demo
try 0 5 './start demo' ./start
try 0 5 './start test quick' ./start --help
try 2 1 'expected demo, test or test quick' ./start all
try 2 1 'expected demo, test or test quick' ./start demo test
try 2 1 'expected demo, test or test quick' ./start test fast
exit $failures
