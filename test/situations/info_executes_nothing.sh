# `ghcomp info FILE` executes nothing that FILE names, and waits for nothing: a user asks it before he trusts the file.  Its answer
# comes from the system's own dynamic linker, or from the file alone, and holds printable characters only.
set -u
ghcomp=$RUNTIME/../bin/ghcomp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset LD_LIBRARY_PATH LD_PRELOAD LD_AUDIT GHCOMP_SUBSTRATE
CC=${CC:-gcc}
failures=0
fail() { echo "info_executes_nothing: $*"; sed 's/^/    /' out | cat -v; failures=1; }

# try STATUS TEXT COMMAND...: this status, TEXT in what it prints, no control characters there, and nothing of the file was run
try() {
  status=$1 text=$2; shift 2
  timeout -s KILL 60 "$@" >out 2>&1 </dev/null
  is=$?
  [ $is = "$status" ] && grep -qF -- "$text" out || fail "$*: status $is, expected $status and '$text' in:"
  LC_ALL=C tr -d '[:print:]\n\200-\377' <out | grep -q . && fail "$*: control characters:"
  [ ! -e ran ] || { fail "$* executed $(cat ran)"; rm ran; }
}

printf '#include <fcntl.h>\n#include <unistd.h>\nint main(int n, char **a) { int f = open("%s/ran", O_WRONLY | O_CREAT, 0600);
  return write(f, a[0], 4) > 0; }\n' "$work" >evil.c
printf '#include <fcntl.h>\nunsigned la_version(unsigned v) { open("%s/ran", O_WRONLY | O_CREAT, 0600); return v; }\n' "$work" >audit.c
printf 'int main(void)\n{\n#pragma omp parallel\n  ;\n  return 0;\n}\n' >gomp.c
echo 'int main(void) { return 0; }' >plain.c
$CC -static evil.c -o evil && $CC -shared -fPIC audit.c -o audit.so && $CC plain.c -o plain && $CC -fopenmp gomp.c -o gomp || exit 1
linker=$(readelf -lW plain | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
ln -s "$linker" linker
strange=$(printf 'x\033]0;owned\007\302\2332J')

# The dynamic linker that a file names.
$CC plain.c -o plain_evil -Wl,--dynamic-linker="$work/evil" && $CC -fopenmp gomp.c -o gomp_evil -Wl,--dynamic-linker="$work/evil" &&
  $CC -fopenmp gomp.c -o gomp_rpath -Wl,--dynamic-linker="$work/evil",-rpath,"$work" &&
  $CC -fopenmp gomp.c -o gomp_same -Wl,--dynamic-linker="$work/linker",-rpath,"$(dirname "$($CC -print-file-name=libgomp.so.1)")" &&
  $CC plain.c -o gomp_strange -Wl,--dynamic-linker="/$strange" &&
  $CC -shared -fPIC plain.c -o audited.so -Wl,--audit="$work/audit.so",-soname,audited.so && $CC -fopenmp gomp.c -o gomp_audited -Wl,--depaudit="$work/audit.so" && $CC plain.c -o audited -Wl,--audit="$work/audit.so" || exit 1
try 0 "asks for another dynamic linker than this system's, $work/evil, which is not run" "$ghcomp" info ./plain_evil
try 0 "served                 if it comes to use an OpenMP runtime" "$ghcomp" info ./plain_evil
try 0 "served                 yes" "$ghcomp" info ./gomp_evil
try 0 "LD_LIBRARY_PATH alone  is enough" "$ghcomp" info ./gomp_evil
try 0 "LD_LIBRARY_PATH alone  is not enough" "$ghcomp" info ./gomp_rpath
try 0 "is linked with" "$ghcomp" info ./gomp_same
try 0 "than this system's, /x?]0;owned???2J" "$ghcomp" info ./gomp_strange
try 0 "has auditors or an unusual layout" "$ghcomp" info ./audited.so
try 0 "has auditors or an unusual layout" "$ghcomp" info ./audited
try 0 "served                 yes" "$ghcomp" info ./gomp_audited

# What stands behind #! in a script.
printf '#!%s/plain_evil\n' "$work" >of_evil && mkfifo waits && printf '#!%s/waits\n' "$work" >of_waits && chmod +x of_evil of_waits waits
try 0 "is a script" "$ghcomp" info ./of_evil
try 0 "is a script" "$ghcomp" info ./of_waits
cp gomp "$strange" && try 0 "is linked with" "$ghcomp" info "./$strange"

# Names of linkers that the system refuses: too long (also longer than an int), empty, or without an end.
cat >named.py <<'P'
import struct, sys
name, at, size = sys.argv[1], int(sys.argv[2], 0), int(sys.argv[3], 0)
with open(name, "r+b") as file:
    b = file.read(4096)
    table, count = struct.unpack_from("<Q", b, 32)[0], struct.unpack_from("<H", b, 56)[0]
    segment = next(s for s in range(table, table + 56 * count, 56) if struct.unpack_from("<I", b, s)[0] == 3)  # PT_INTERP
    offset, old = struct.unpack_from("<Q", b, segment + 8)[0], struct.unpack_from("<Q", b, segment + 32)[0]
    file.seek(segment + 8), file.write(struct.pack("<Q", at or offset))
    file.seek(segment + 32), file.write(struct.pack("<QQ", size or old - 1, size or old - 1))
    if at:
        file.seek(at), file.write(b"/" * min(size, 9999))
        file.truncate(at + size)
P
for place in "0x100000 0x80000000" "0x100000 0x100001000" "0x100000 4097" "0x100000 1" "0 0"; do
  # shellcheck disable=SC2086 # offset and length
  cp gomp named && python3 named.py named $place || exit 1
  (exec ./named) >out 2>&1; [ $? = 126 ] || fail "length $place: the system executes it:"
  try 125 "does not name its dynamic linker as the system expects it" "$ghcomp" info ./named
  try 125 "does not name its dynamic linker as the system expects it" "$ghcomp" run -- ./named
done
exit $failures
