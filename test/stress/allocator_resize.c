/* A pool never holds more than its size allows, also if a block cannot grow.  A block that stays is
   never given out a second time.  */
#include <omp.h>
#include <stdio.h>

enum { POOL = 8192, BLOCK = 5000, ROUNDS = 300000 };

int main(void)
{
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, POOL}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
  int both = 0, grown = 0;
  char *block = omp_alloc(BLOCK, pool);
  if (block == NULL)
    return 2;
#pragma omp parallel sections num_threads(2) reduction(+ : both, grown)
  {
#pragma omp section
    for (int i = 0; i < ROUNDS; i++)
      grown += omp_realloc(block, 2 * POOL, pool, pool) != NULL;
#pragma omp section
    for (int i = 0; i < ROUNDS; i++) {
      char *second = omp_alloc(BLOCK, pool);
      both += second != NULL;
      omp_free(second, pool);
    }
  }
  /* A block may shrink or grow if the result fits in place of the old block, and no space is lost.  */
  for (int i = 0; i < 100 && block != NULL; i++)
    block = omp_realloc(block, i % 2 ? 100 : BLOCK + 2000, pool, pool);
  int lost = block == NULL;
  omp_free(block, pool);
  block = omp_alloc(POOL - 200, pool);
  lost += block == NULL;
  omp_free(block, pool);
  omp_destroy_allocator(pool);
  if (both != 0 || grown != 0 || lost != 0)
    printf("the pool held two blocks %d times, grew %d times, lost %d\n", both, grown, lost);
  return both != 0 || grown != 0 || lost != 0;
}
