/* A thread that allocates memory gets an arena of the C library: 64 MB of addresses, which a program with a limit of addresses
   lacks then.  Workers of a program that does not allocate in its regions take none.  GHC's runtime system may have one for
   each thread of its own, which are fewer than the processors.  */
#include <omp.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MORE = 24 }; /* threads than processors */

static int arenas(void)
{
  char *text = NULL;
  size_t size = 0;
  int count = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL || malloc_info(0, out) != 0 || fclose(out) != 0)
    return -1;
  for (const char *p = text; (p = strstr(p, "<heap ")) != NULL; p++)
    count++;
  free(text);
  return count;
}

int main(void)
{
  int threads = omp_get_num_procs() + MORE, came = 0;
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(threads) reduction(+ : came)
    came++;
  }
  int count = arenas();
  if (came == 3 * threads && count >= 1 && count <= omp_get_num_procs())
    return 0;
  printf("%d threads in three regions of %d, %d arenas\n", came, threads, count);
  return 1;
}
