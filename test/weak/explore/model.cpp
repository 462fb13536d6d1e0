/* Loads the model's library.  Each run begins with the memory as weak_setup left it.  */
#include "explore.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

Model model;
char *arena;
size_t arena_used[MOST_THREADS + 1];
Local locals[MOST_LOCALS];
int local_count;

static std::vector<char> saved_data, saved_arena; /* after setup */
static size_t saved_used;

static int find_data(dl_phdr_info *info, size_t, void *wanted)
{
  if (strcmp(info->dlpi_name, (const char *)wanted) != 0)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_W) != 0) {
      model.data = (char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      model.data_size = info->dlpi_phdr[i].p_memsz;
    }
  /* Relocated addresses are read-only by now and never change.  */
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
      char *begin = (char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      char *end = (char *)(((uintptr_t)begin + info->dlpi_phdr[i].p_memsz + 4095) & ~4095ul);
      if (end > model.data) {
        model.data_size -= (size_t)(end - model.data);
        model.data = end;
      }
    }
  return 1;
}

void load(const char *path)
{
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    give_up(dlerror());
  model.threads = *(unsigned *)dlsym(handle, "weak_threads");
  model.setup = (void (*)())dlsym(handle, "weak_setup");
  model.body = (void (*)(unsigned))dlsym(handle, "weak_thread");
  model.end = (void (*)())dlsym(handle, "weak_end");
  model.bound = (unsigned *)dlsym(handle, "weak_bound");
  dl_iterate_phdr(find_data, (void *)path);
  if (model.data == nullptr || model.data_size > MOST_DATA || model.threads > MOST_THREADS)
    give_up("the model's data was not found");
}

void *map(size_t size)
{
  void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    give_up("no memory");
  return p;
}

void set_up()
{
  arena = (char *)map((MOST_THREADS + 1) * (size_t)ARENA);
  make_cells();
  make_stacks();
  model.setup();
  for (int i = 0; i < local_count; i++)
    for (int t = 0; t < MOST_THREADS; t++)
      memset(locals[i].kept[t], 0, sizeof locals[i].kept[t]);
  saved_used = arena_used[0];
  saved_data.assign(model.data, model.data + model.data_size);
  saved_arena.assign(arena, arena + saved_used);
}

void restore_memory()
{
  memcpy(model.data, saved_data.data(), saved_data.size());
  memcpy(arena, saved_arena.data(), saved_used);
  for (unsigned t = 0; t < MOST_THREADS; t++) {
    memset(arena + (t + 1) * (size_t)ARENA, 0, arena_used[t + 1]);
    arena_used[t + 1] = 0;
  }
  arena_used[0] = saved_used;
}
