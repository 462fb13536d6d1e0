# Another runtime in the process leaves a mark: a file in /dev/shm or /tmp, or a variable, with the address and the value of a word
# of its own.  Anybody can make such a file.  So what is no regular file of this user says nothing, and nobody waits for it; a mark
# asks for words of such a runtime only, and for none of a setuid program; and no mark writes control characters.  What needs a
# second user is tried by root only.
set -u
work=$(mktemp -d) made=$(mktemp)
clean() { [ ! -s "$made" ] || rm -f "$(cat "$made")"; rm -rf "$work" "$made"; }
trap clean EXIT
unset LD_LIBRARY_PATH LD_PRELOAD KMP_WARNINGS OMP_NUM_THREADS GHCOMP_SUBSTRATE
chmod 755 "$work"
failures=0 other=65534

cat >"$work/main.c" <<'C'
#include <stdio.h>
#include <sys/auxv.h>
extern void kmp_set_blocktime(int);
int place = 0xcafe;
#ifdef HAS_RUNTIME
__attribute__((used)) static void __kmpc_fork_call(void) {}
#endif
int main(void)
{
  kmp_set_blocktime(200);
  puts(getauxval(AT_SECURE) ? "done, secure" : "done");
  return 0;
}
C
for name in with without; do
  ${CC:-gcc} -O1 -no-pie $([ $name = without ] || echo -DHAS_RUNTIME) "$work/main.c" -o "$work/$name" "$RUNTIME/libomp.so.5" \
    -Wl,-rpath,"$RUNTIME" || exit 1
done
address_in() { nm "$work/$1" | sed -n 's/ D place$//p'; }

# try WHAT DONE SAID COMMAND...: ends, prints DONE, and says SAID, or nothing if SAID is empty.  A process that waits is ended.
try() {
  what=$1 done=$2 said=$3; shift 3
  status=0
  timeout -s KILL 60 "$@" >"$work/out" 2>"$work/err" || status=$?
  clean_mark
  [ $status = 0 ] && [ "$(cat "$work/out")" = "$done" ] && [ "$(cat "$work/err")" = "$said" ] && return
  echo "marks_of_others: $what: status $status, expected 0, '$done' and '$said'; it printed:"
  cat -v "$work/out" "$work/err"
  failures=1
}
clean_mark() { [ ! -s "$made" ] || rm -f "$(cat "$made")"; : >"$made"; }

# A shell makes the mark and becomes the program, which so has the number that is in the mark's name.  An ended process that had this
# number may have left one.
# in_file WHAT SAID FOLDER NUMBERS MAKE TEXT PROGRAM: MAKE is a command that makes the file "$1" of the text "$2"
# shellcheck disable=SC2016 # for the shell inside
makes_and_runs='f=$0/__KMP_REGISTERED_LIB_$(eval "echo $1"); echo "$f" >"$5"; rm -f "$f"; set -- "$f" "$3" "$2" "$4"; eval "$3"; exec "$4"'
in_file() { try "$1" done "$2" sh -c "$makes_and_runs" "$3" "$4" "$5" "$6" "$7" "$made"; }
user=$(id -u)
both="\$\$_$user" one="\$\$"
# shellcheck disable=SC2016
writes='printf "$2" >"$1"'
message="another OpenMP runtime, is at work in this process too: its threads and these compete for processors (ghcomp run lets one runtime serve all; KMP_WARNINGS=0 turns this message off)"
says() { echo "ghcomp: $1, $message"; }
right=$(address_in with)-cafe-libomp.so
echo "$right" >"$work/mark"

# True marks are seen, wherever they may be.
for place in "/dev/shm $both" "/tmp $both" "/dev/shm $one"; do
  # shellcheck disable=SC2086 # folder and number
  in_file "a mark in $place" "$(says libomp.so)" $place "$writes" "$right" "$work/with"
  for make in 'mkfifo "$1"' "ln -s $work/mark"' "$1"' 'ln -s /dev/zero "$1"'; do
    # shellcheck disable=SC2086
    in_file "$make in $place" "" $place "$make" "$right" "$work/with"
  done
done
# shellcheck disable=SC2016
in_variable='n=$(eval "echo $1"); exec env "__KMP_REGISTERED_LIB_$n=$0" "$2"'
try "a mark in a variable" done "$(says libomp.so)" sh -c "$in_variable" "$right" "$both" "$work/with"
try "control characters" done "$(says '?[2K?]0;x?libomp??y')" sh -c "$in_variable" \
  "$(printf '%s-cafe-\033[2K\033]0;x\007libomp\302\233y' "$(address_in with)")" "$both" "$work/with"
try "a word of another library" done "" sh -c "$in_variable" "$(address_in without)-cafe-libomp.so" "$both" "$work/without"

if [ "$user" = 0 ]; then
  in_file "another user's file" "" /dev/shm "$both" "$writes"'; chown '"$other"' "$1"' "$right" "$work/with"
  chmod u+s "$work/with"
  # shellcheck disable=SC2016
  secure='setpriv --reuid '$other' --regid '$other' --clear-groups "$@"'
  sh -c "$secure" sh "$work/with" >"$work/out" 2>&1
  if [ "$(cat "$work/out")" = "done, secure" ]; then
    try "a setuid program" "done, secure" "" sh -c "$secure" sh sh -c "$in_variable" "$right" "\$\$_$other" "$work/with"
  else
    echo "marks_of_others: not tried: a setuid program (this folder, $work, has none: $(cat "$work/out"))"
  fi
else
  echo "marks_of_others: not tried: files and programs of another user (this is not root)"
fi
exit $failures
