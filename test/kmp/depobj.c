/* Depend objects in Clang's code, beside other clauses, and for an undeferred task (5.2, 15.9.5).  */
#include <omp.h>
#include <stdio.h>

static int wrong;

static void check(int good)
{
  if (!good) {
#pragma omp atomic
    wrong++;
  }
}

static void objects(void)
{
  omp_depend_t object;
  int values[3] = {0, 0, 0};
#pragma omp depobj(object) depend(inout : values[1])
  for (int i = 0; i < 30; i++) {
#pragma omp task depend(depobj : object) depend(iterator(int k = 0 : 3), in : values[k]) shared(values)
    values[1]++;
  }
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) shared(values)
  check(values[1] == 30);
#pragma omp task depend(inout : values[1]) if (0) shared(values)
  values[1]++;
  check(values[1] == 31);
#pragma omp taskwait
#pragma omp depobj(object) destroy
}

int main(void)
{
  for (int r = 0; r < 30; r++) {
#pragma omp parallel num_threads(1 + r % 4)
#pragma omp single
    objects();
  }
  if (wrong != 0)
    printf("%d wrong\n", wrong);
  return wrong != 0;
}
