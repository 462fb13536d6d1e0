/* Workers are named "omp N" with the lowest free numbers, on every substrate and in a forked child.
   Threads of the program keep their names, also in the child of a thread that forks in a region.
   link: -lpthread */
#define _GNU_SOURCE
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME = 16, MOST = 8 };
static int wrong;

static void expect(bool holds, const char *what, const char *found)
{
  if (!holds) {
    printf("%s, but is '%s'\n", what, found);
    wrong = 1;
  }
}

/* The name of the calling thread, from the file that top reads.  */
static void read_name(char name[NAME + 1])
{
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%ld/comm", syscall(SYS_gettid));
  FILE *file = fopen(path, "r");
  size_t length = file != NULL ? fread(name, 1, NAME, file) : 0;
  name[length] = '\0';
  name[strcspn(name, "\n")] = '\0';
  if (file != NULL)
    fclose(file);
}

static char names[MOST][NAME + 1];

/* The names of the team's threads, which all exist at the same time.  */
static void gather(int threads)
{
  memset(names, 0, sizeof names);
#pragma omp parallel num_threads(threads)
  {
    read_name(names[omp_get_thread_num()]);
#pragma omp barrier
  }
}

static bool is_worker(const char *name, unsigned number)
{
  char expected[NAME + 1];
  snprintf(expected, sizeof expected, "omp %u", number);
  return strcmp(name, expected) == 0;
}

/* In a program with one team worker N is thread N, from the first region on and when the team grows.  */
static void one_team(const char *master)
{
  for (int threads = 2; threads <= 5; threads++) {
    gather(threads);
    expect(strcmp(names[0], master) == 0, "the master keeps its name", names[0]);
    for (int i = 1; i < threads; i++)
      expect(is_worker(names[i], i), "worker i is thread i", names[i]);
  }
}

/* Two masters at once: their workers have different names, and the second keeps its own.  */
static pthread_barrier_t both;
static char of_team[2][2][NAME + 1];

static void *master(void *data)
{
  int which = data != NULL;
  if (which)
    pthread_setname_np(pthread_self(), "my own");
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      pthread_barrier_wait(&both);
    read_name(of_team[which][omp_get_thread_num()]);
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      pthread_barrier_wait(&both);
  }
  return NULL;
}

static void two_teams(const char *first)
{
  pthread_t other;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&other, NULL, master, &other);
  master(NULL);
  pthread_join(other, NULL);
  expect(strcmp(of_team[0][0], first) == 0, "the first master keeps its name", of_team[0][0]);
  expect(strcmp(of_team[1][0], "my own") == 0, "the second master keeps its name", of_team[1][0]);
  expect(strncmp(of_team[0][1], "omp ", 4) == 0, "the first's worker has a name", of_team[0][1]);
  expect(strncmp(of_team[1][1], "omp ", 4) == 0, "the second's worker has a name", of_team[1][1]);
  expect(strcmp(of_team[0][1], of_team[1][1]) != 0, "workers of two teams differ", of_team[1][1]);
}

/* A body may name its thread: the runtime does not change that name back.  */
static void named_by_the_program(void)
{
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    pthread_setname_np(pthread_self(), "mine");
  gather(2);
  expect(strcmp(names[1], "mine") == 0, "a name that the program gave stays", names[1]);
}

static void in_child(void (*check)(const char *), const char *name)
{
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) {
    wrong = 0;
    check(name);
    fflush(stdout);
    _exit(wrong);
  }
  if (waitpid(pid, &status, 0) != pid || status != 0)
    wrong = 1;
}

static void is_called(const char *name)
{
  char found[NAME + 1];
  read_name(found);
  expect(strcmp(found, name) == 0, "a child that a worker forked has the program's name", found);
}

/* In the child a former worker is the first thread, whose name is the name of the process.  */
static void forked_by_worker(const char *name)
{
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    in_child(is_called, name);
}

/* How many threads the process has.  */
static int threads_there(void)
{
  char line[256];
  int count = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && count == 0 && fgets(line, sizeof line, status) != NULL)
    sscanf(line, "Threads: %d", &count);
  if (status != NULL)
    fclose(status);
  return count;
}

/* A listing of threads may stop early when a thread of it ends.  So it counts only if it is as long as
   the number of threads of the process.  */
static bool workers_have_ended(void)
{
  int listed = 0, workers = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
    char path[300], found[NAME + 1] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL;
    if (file != NULL && fgets(found, sizeof found, file) != NULL) {
      listed++;
      workers += strncmp(found, "omp ", 4) == 0 || strcmp(found, "mine\n") == 0;
    }
    if (file != NULL)
      fclose(file);
  }
  closedir(tasks);
  return workers == 0 && listed == threads_there();
}

/* After all workers have ended, the lowest numbers are used again.  */
static void after_a_pause(const char *name)
{
  omp_pause_resource_all(omp_pause_soft);
  while (!workers_have_ended())
    sched_yield();
  one_team(name);
}

int main(void)
{
  char name[NAME + 1];
  read_name(name);
  one_team(name);
  in_child(one_team, name);
  two_teams(name);
  forked_by_worker(name);
  named_by_the_program();
  after_a_pause(name);
  return wrong;
}
