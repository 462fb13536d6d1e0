/* Locks: mutual exclusion, test, nesting counts, ownership by task (5.2, 18.9).  */
#include <omp.h>

int main(void)
{
  omp_lock_t lock;
  omp_nest_lock_t nest;
  int count = 0, nested = 0, wrong = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(6) reduction(+ : wrong)
  for (int i = 0; i < 2000; i++) {
    if (i % 3 == 0) {
      while (!omp_test_lock(&lock))
        ;
    } else {
      omp_set_lock(&lock);
    }
    count++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    wrong += omp_test_nest_lock(&nest) != 2;
    nested++;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  omp_set_nest_lock(&nest);
#pragma omp task if (0) shared(wrong)
  wrong += omp_test_nest_lock(&nest) != 0; /* another task does not own it */
  omp_unset_nest_lock(&nest);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return wrong != 0 || count != 12000 || nested != 12000;
}
