/* Dependence kinds that GCC supports since version 13: inoutset and omp_all_memory.  With an older
   compiler this tests nothing.  */
#include <omp.h>

#if __GNUC__ >= 13
int main(void)
{
  int bad = 0;
  for (int r = 0; r < 200; r++) {
    int a = 0, b = 0, total = 0, in_set = 0, after = -1, all = -1;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
      a = 1;
#pragma omp task depend(out : b) shared(b)
      b = 1;
      for (int i = 0; i < 6; i++) {
#pragma omp task depend(inoutset : a) shared(a, in_set, total)
        {
          int x;
#pragma omp atomic read
          x = a;
#pragma omp atomic
          total += x;
#pragma omp atomic
          in_set++;
        }
      }
#pragma omp task depend(in : a) shared(in_set, after)
      after = in_set;
#pragma omp task depend(inout : omp_all_memory) shared(after, b, all)
      all = after + b;
#pragma omp task depend(in : b) shared(all, bad)
      if (all != 7) {
#pragma omp atomic
        bad++;
      }
    }
    bad += total != 6 || after != 6 || all != 7;
  }
  return bad != 0;
}
#else
int main(void)
{
  return 0;
}
#endif
