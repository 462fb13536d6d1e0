/* Reads every setting that the environment may hold: shows all of them and the affinity, asks for places and an allocator, and
   starts regions of GCC's and of Clang's code.  */
#include <stdlib.h>

struct place { int reserved_1, flags, reserved_2, reserved_3; const char *text; };
void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
void __kmpc_fork_call(void *, int, void *, ...);
void __kmpc_push_num_threads(void *, int, int);
int __kmpc_global_thread_num(void *);
void omp_display_env(int), omp_display_affinity(const char *), omp_get_place_proc_ids(int, int *);
int omp_get_num_places(void), omp_get_place_num_procs(int);
size_t omp_capture_affinity(char *, size_t, const char *);
unsigned long omp_get_default_allocator(void);
void *omp_alloc(size_t, unsigned long);
void omp_free(void *, unsigned long);

enum { MOST_PLACES = 100, MOST_PROCESSORS = 4096 };

static void body(void *nothing)
{
  char text[64];
  (void)nothing;
  omp_display_affinity(NULL);
  omp_capture_affinity(text, sizeof text, NULL);
}

static void clang_body(int *thread, int *bound)
{
  (void)thread, (void)bound;
  body(NULL);
}

int main(void)
{
  static struct place place = {0, 2, 0, 0, ";settings.c;main;1;1;;"};
  static int numbers[MOST_PROCESSORS];
  omp_display_env(1);
  GOMP_parallel(body, NULL, 2, 0);
  __kmpc_push_num_threads(&place, __kmpc_global_thread_num(&place), 2);
  __kmpc_fork_call(&place, 0, (void *)clang_body);
  for (int i = 0; i < omp_get_num_places() && i < MOST_PLACES; i++)
    if (omp_get_place_num_procs(i) <= MOST_PROCESSORS)
      omp_get_place_proc_ids(i, numbers);
  omp_display_affinity(getenv("OMP_AFFINITY_FORMAT"));
  omp_free(omp_alloc(100, omp_get_default_allocator()), 0);
  return 0;
}
