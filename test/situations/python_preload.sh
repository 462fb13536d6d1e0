# The library preloaded into Python, and found through LD_LIBRARY_PATH for a module that Python
# loads later; several Python threads start regions.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/m.c" <<'C'
int sum(int n) { int s = 0;
#pragma omp parallel for reduction(+:s) num_threads(3)
for (int i = 0; i < n; i++) s += i; return s; }
C
${CC:-gcc} -O2 -fopenmp -shared -fPIC "$work/m.c" -o "$work/m.so"
cat > "$work/t.py" <<P
import ctypes, threading
m = ctypes.CDLL("$work/m.so")
out = []
def run():
    for _ in range(50): out.append(m.sum(1000))
threads = [threading.Thread(target=run) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
assert out == [499500] * 200, out
assert any("$RUNTIME" in line for line in open("/proc/self/maps")), "not our library"
P
LD_PRELOAD=$RUNTIME/libgomp.so.1 python3 "$work/t.py"
LD_LIBRARY_PATH=$RUNTIME python3 "$work/t.py"
