/* Some threads replace the affinity format, while others read it, capture it and display it.  Each
   gets one of the texts whole, and replaced texts are released.  */
#include <malloc.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, LENGTH = 1000 };

/* True for LENGTH times the same letter, without a field to expand.  */
static int is_whole(const char *text)
{
  return strlen(text) == LENGTH && strspn(text, (char[]){text[0], '\0'}) == LENGTH;
}

static void set(int letter)
{
  char format[LENGTH + 1];
  memset(format, letter, LENGTH);
  format[LENGTH] = '\0';
  omp_set_affinity_format(format);
}

static int get_and_capture(void)
{
  char got[LENGTH + 1], captured[LENGTH + 1];
  int wrong = omp_get_affinity_format(got, sizeof got) != LENGTH || !is_whole(got);
  return wrong + (omp_capture_affinity(captured, sizeof captured, NULL) != LENGTH || !is_whole(captured));
}

static int run(int rounds)
{
  int wrong = 0;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1) reduction(+ : wrong)
  for (int i = 0; i < rounds; i++) {
    set('a' + i % 26);
    wrong += get_and_capture();
  }
  return wrong;
}

int main(void)
{
  int wrong = run(1000);
  size_t before = mallinfo2().uordblks;
  wrong += run(4000);
  size_t after = mallinfo2().uordblks;
  if (wrong != 0 || after > before + 100 * LENGTH) {
    printf("%d wrong; %zu bytes more in use\n", wrong, after - before);
    return 1;
  }
  return 0;
}
