/* The verbose table names the version, the library's file, the process and the substrate: before any
   region, after one, and in a forked child.
   env: OMP_DISPLAY_ENV=verbose
   stderr: _OPENMP = '201511'\n  _GHCOMP_VERSION = '[^']+'\n  _GHCOMP_LIBRARY = '/[^']+/libgomp\.so\.1'\n  _GHCOMP_PROCESS = '[0-9]+'\n  _GHCOMP_SUBSTRATE = 'not started: */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char shown[1 << 16];

/* Reads what omp_display_env(1) writes.  */
static void take_table(void)
{
  int old = dup(STDERR_FILENO);
  FILE *file = tmpfile();
  dup2(fileno(file), STDERR_FILENO);
  omp_display_env(1);
  fflush(stderr);
  dup2(old, STDERR_FILENO);
  close(old);
  rewind(file);
  shown[fread(shown, 1, sizeof shown - 1, file)] = '\0';
  fclose(file);
}

static int lacks(const char *name, const char *value)
{
  char line[4200];
  snprintf(line, sizeof line, "\n  %s = '%s'\n", name, value);
  if (strstr(shown, line) != NULL)
    return 0;
  printf("the table lacks%s: %s", line, shown);
  return 1;
}

static const char *ask(const char *name)
{
  return ((const char *(*)(void))dlsym(RTLD_DEFAULT, name))();
}

/* The library's file, according to the system's list of mappings.  */
static const char *mapped_library(void)
{
  static char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  char *path = NULL;
  while (path == NULL && fgets(line, sizeof line, maps) != NULL)
    if (strstr(line, "/libgomp.so.1") != NULL)
      path = strchr(line, '/');
  fclose(maps);
  if (path != NULL)
    path[strcspn(path, "\n")] = '\0';
  return path != NULL ? path : "not mapped";
}

static int check(void)
{
  char process[16];
  snprintf(process, sizeof process, "%ld", (long)getpid());
  take_table();
  return lacks("_GHCOMP_VERSION", ask("ghcomp_version")) | lacks("_GHCOMP_LIBRARY", mapped_library()) |
         lacks("_GHCOMP_PROCESS", process) | lacks("_GHCOMP_SUBSTRATE", ask("ghcomp_substrate_describe"));
}

int main(void)
{
  int status = 0, threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads++;
  int wrong = threads != 2 || check();
  pid_t pid = fork();
  if (pid == 0) {
    wrong = check();
    fflush(stdout);
    _exit(wrong);
  }
  return wrong || waitpid(pid, &status, 0) != pid || status != 0;
}
