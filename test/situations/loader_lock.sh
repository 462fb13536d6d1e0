# A plug-in's constructor starts a region, under the loader's lock, while another thread starts the
# process's first region and needs the loader.  The program stops that thread in a call of the loader
# until the constructor runs.  Neither may wait for the other.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/plugin.c" <<'C'
void plugin_meets(void);
int plugin_threads;
__attribute__((constructor)) static void start(void)
{
  plugin_meets();
#pragma omp parallel num_threads(2) reduction(+ : plugin_threads)
  plugin_threads++;
}
C
cat >"$work/program.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *stop_at;  /* the call of the loader in which the first region is stopped */
static sem_t stopped, in_constructor;
static __thread int is_first;

static void stop(const char *where)
{
  if (!is_first || strstr(where, stop_at) == NULL)
    return;
  is_first = 0;
  sem_post(&stopped);
  sem_wait(&in_constructor);
}

/* Called while the plug-in is being loaded; the first region is in the loader's call or just before it.  */
void plugin_meets(void)
{
  sem_post(&in_constructor);
}

void *dlopen(const char *path, int flags)
{
  static void *(*real)(const char *, int);
  if (real == NULL)
    real = (void *(*)(const char *, int))dlvsym(RTLD_NEXT, "dlopen", "GLIBC_2.2.5");
  stop(path != NULL ? path : "");
  return real(path, flags);
}

void *dlsym(void *handle, const char *name)
{
  static void *(*real)(void *, const char *);
  if (real == NULL)
    real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  stop(name);
  return real(handle, name);
}

int dladdr(const void *address, Dl_info *info)
{
  static int (*real)(const void *, Dl_info *);
  if (real == NULL)
    real = (int (*)(const void *, Dl_info *))dlvsym(RTLD_NEXT, "dladdr", "GLIBC_2.2.5");
  stop("dladdr");
  return real(address, info);
}

static void *load(void *path)
{
  sem_wait(&stopped);
  return dlopen(path, RTLD_NOW);
}

int main(int argc, char **argv)
{
  pthread_t loader;
  void *plugin;
  int threads = 0;
  if (argc < 3)
    return 2;
  stop_at = argv[1];
  sem_init(&stopped, 0, 0);
  sem_init(&in_constructor, 0, 0);
  pthread_create(&loader, NULL, load, argv[2]);
  is_first = 1;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads++;
  int was_stopped = !is_first;
  pthread_join(loader, &plugin);
  int *of_plugin = plugin != NULL ? dlsym(plugin, "plugin_threads") : NULL;
  printf("%s: %d and %d threads%s\n", stop_at, threads, of_plugin != NULL ? *of_plugin : -1, was_stopped ? "" : ", never stopped");
  return 0;
}
C
${CC:-gcc} -O1 -fopenmp -shared -fPIC "$work/plugin.c" -o "$work/plugin.so" &&
  ${CC:-gcc} -O1 -fopenmp -rdynamic "$work/program.c" -o "$work/program" -ldl || exit 1
for where in libghcomp_rts.so rts_lock __asan_init dladdr ghcomp_rts_substrate ghcomp_rts_capability; do
  timeout -s KILL 60 "$work/program" $where "$work/plugin.so" >"$work/out" 2>&1
  [ "$(cat "$work/out")" = "$where: 2 and 2 threads" ] || { echo "loader_lock: stopped at $where: $(cat "$work/out")"; exit 1; }
done
# A message about the environment is printed once, whichever thread reads the environment first.
GHCOMP_SUBSTRATE=capos timeout -s KILL 60 "$work/program" rts_lock "$work/plugin.so" >"$work/out" 2>&1
[ "$(grep -c 'expected ghc or pthread' "$work/out")" = 1 ] || { echo "loader_lock: not said once:"; cat "$work/out"; exit 1; }
GHCOMP_RTS_LIBRARY=/nonexistent/libghcomp_rts.so timeout -s KILL 60 "$work/program" libghcomp_rts.so "$work/plugin.so" >"$work/out" 2>&1
[ "$(grep -c 'cannot be loaded' "$work/out")" = 1 ] || { echo "loader_lock: not said once:"; cat "$work/out"; exit 1; }
