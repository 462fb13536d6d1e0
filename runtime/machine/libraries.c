/* Which OpenMP runtimes the libraries of this process ask for, and whether another one is at work in it.  */
#include "machine/process.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEEDS_GCC = 1, NEEDS_LLVM = 2 };

static const char *file_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

bool ghcomp_machine_names_llvm(const char *name)
{
  const char *base = file_of(name);
  return strncmp(base, "libomp.so", 9) == 0 || strncmp(base, "libomp-", 7) == 0 || strncmp(base, "libiomp5", 8) == 0;
}

static const ElfW(Dyn) *dynamic_of(const struct dl_phdr_info *info)
{
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return NULL;
}

/* The loader has put an address where the file has an offset; for some objects (the vdso) it has not.  */
static const char *strings_of(const struct dl_phdr_info *info, const ElfW(Dyn) *dynamic)
{
  for (; dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == DT_STRTAB)
      return (const char *)(dynamic->d_un.d_ptr + (dynamic->d_un.d_ptr < info->dlpi_addr ? info->dlpi_addr : 0));
  return NULL;
}

/* What a library of the name, or one that needs it, says of the process.  */
static int need_for(const char *name)
{
  return ghcomp_machine_names_llvm(name) ? NEEDS_LLVM : strncmp(file_of(name), "libgomp", 7) == 0 ? NEEDS_GCC : 0;
}

static int look_for_need(struct dl_phdr_info *info, size_t size, void *needs)
{
  (void)size;
  const ElfW(Dyn) *dynamic = dynamic_of(info);
  const char *strings = dynamic != NULL ? strings_of(info, dynamic) : NULL;
  if (ghcomp_machine_names_llvm(info->dlpi_name)) /* it may have been preloaded by that name */
    *(int *)needs |= NEEDS_LLVM;
  for (; strings != NULL && dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == DT_NEEDED)
      *(int *)needs |= need_for(strings + dynamic->d_un.d_val);
  return 0;
}

enum llvm_need ghcomp_machine_needs_llvm(void)
{
  int needs = 0;
  dl_iterate_phdr(look_for_need, &needs);
  return (needs & NEEDS_LLVM) == 0 ? LLVM_NOT_NEEDED : (needs & NEEDS_GCC) != 0 ? LLVM_NEEDED : LLVM_NEEDED_ALONE;
}

/* ------------------------------------------------------------------ another one at work */

struct search {
  char *path;
  size_t size;
  bool found;
};

static bool has_address(const struct dl_phdr_info *info, uintptr_t address)
{
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && address >= start && address - start < info->dlpi_phdr[i].p_memsz)
      return true;
  }
  return false;
}

static int look_for_other(struct dl_phdr_info *info, size_t size, void *argument)
{
  struct search *search = argument;
  (void)size;
  if (!ghcomp_machine_names_llvm(info->dlpi_name) || has_address(info, (uintptr_t)look_for_other))
    return 0;
  snprintf(search->path, search->size, "%s", info->dlpi_name);
  return search->found = true;
}

static bool is_there(const char *folder, const char *name)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0)
    close(file);
  return file >= 0;
}

/* LLVM's and Intel's runtimes leave a mark when they begin to work: shared memory, a file or a variable.  */
static bool somebody_registered(void)
{
  char with_user[80], without[64];
  snprintf(with_user, sizeof with_user, "__KMP_REGISTERED_LIB_%d_%d", (int)getpid(), (int)getuid());
  snprintf(without, sizeof without, "__KMP_REGISTERED_LIB_%d", (int)getpid());
  return is_there("/dev/shm", with_user) || is_there("/tmp", with_user) || is_there("/dev/shm", without) ||
         getenv(with_user) != NULL || getenv(without) != NULL;
}

bool ghcomp_machine_finds_llvm(char *path, size_t size)
{
  struct search search = {path, size, false};
  if (!somebody_registered())
    return false;
  dl_iterate_phdr(look_for_other, &search);
  return search.found;
}
