# A program that is built with a sanitizer runs and ends as with libgomp, without a message.  The RTS
# is not loaded unless the program asks for it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/t.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum++;
  puts(((const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_name"))());
  return sum == 3 ? 0 : 1;
}
C
${CC:-gcc} -g -fopenmp -fsanitize=address "$work/t.c" -o "$work/t" -ldl || exit 1
said=$(env -u GHCOMP_SUBSTRATE "$work/t" 2>&1)
status=$?
[ "$status $said" = "0 pthread" ] && exit 0
echo "status $status, expected 0; it said: $said, expected: pthread"
exit 1
