/* In Clang's code omp_set_num_teams and omp_set_teams_thread_limit set nothing inside a region or a league, where OpenMP does not
   allow them (5.2, 18.4.3 and 18.4.5).
   stderr: (?s)omp_set_num_teams\(99\): .*; call ignored.*omp_set_teams_thread_limit\(98\): .*; call ignored */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

/* Clang 14's header does not have them all.  */
extern void omp_set_num_teams(int), omp_set_teams_thread_limit(int);
extern int omp_get_max_teams(void), omp_get_teams_thread_limit(void);
static int wrong;

static void set(int teams, int limit)
{
  omp_set_num_teams(teams);
  omp_set_teams_thread_limit(limit);
}

static void set_by_reference(void)
{
  int teams = 99, limit = 98;
  void (*set_teams)(const int *) = dlvsym(RTLD_DEFAULT, "omp_set_num_teams_", "VERSION");
  void (*set_limit)(const int *) = dlvsym(RTLD_DEFAULT, "omp_set_teams_thread_limit_", "VERSION");
  set_teams(&teams);
  set_limit(&limit);
}

static void expect(const char *where, int teams, int limit)
{
  if (omp_get_max_teams() == teams && omp_get_teams_thread_limit() == limit)
    return;
  printf("%s: %d teams of %d threads, expected %d and %d\n", where, omp_get_max_teams(), omp_get_teams_thread_limit(), teams, limit);
  wrong = 1;
}

static void *native(void *unused)
{
  set(5, 6);
  return unused;
}

int main(void)
{
  set(3, 2);
  expect("before", 3, 2);
#pragma omp teams num_teams(1)
  set(99, 98);
  expect("after a league of one team", 3, 2);
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
  set(99, 98);
  expect("after a league with regions", 3, 2);
#pragma omp parallel num_threads(1)
  set(99, 98);
  expect("after a region of one thread", 3, 2);
#pragma omp parallel num_threads(3)
  set_by_reference();
  expect("after a region of three threads", 3, 2);
  set(4, 5);
  expect("after the regions", 4, 5);
  pthread_t thread;
  pthread_create(&thread, NULL, native, NULL);
  pthread_join(thread, NULL);
  expect("after a thread of the program's", 5, 6);
  return wrong;
}
