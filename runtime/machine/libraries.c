/* Which OpenMP runtimes the libraries of this process ask for, and whether another one is at work in it.  */
#include "machine/elf.h"
#include "machine/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
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

/* LLVM's and Intel's runtimes leave a mark when they begin to work: ADDRESS-VALUE-NAME, where the address is of a word of
   theirs that has the value.  It lies in shared memory, a file or a variable that has the process's number in its name,
   and one of an ended process with that number, or of a program that this one has replaced, may still lie there.  */
struct mark {
  uintptr_t address;
  unsigned long value;
  char name[64];
};

struct search {
  const struct mark *mark;
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

static void look_for_entry(void *found, const char *name, const Elf64_Sym *symbol)
{
  *(bool *)found |= symbol->st_shndx != SHN_UNDEF && strcmp(name, "__kmpc_fork_call") == 0;
}

/* By its name, or by what it defines: programs and other libraries may have such a runtime in them.  */
static bool is_llvm(const char *path)
{
  struct image image;
  bool found = ghcomp_machine_names_llvm(path);
  if (found || !ghcomp_elf_open(path[0] != '\0' ? path : "/proc/self/exe", &image)) /* the program has no path here */
    return found;
  ghcomp_elf_symbols(&image, SHT_DYNSYM, look_for_entry, &found);
  ghcomp_elf_symbols(&image, SHT_SYMTAB, look_for_entry, &found);
  ghcomp_elf_close(&image);
  return found;
}

/* The library that has the marked word, unless it is this one.  No other library's word is looked at: what it says is
   nobody's business.  */
static int look_for_marked(struct dl_phdr_info *info, size_t size, void *argument)
{
  struct search *search = argument;
  (void)size;
  if (!has_address(info, search->mark->address) || has_address(info, (uintptr_t)look_for_marked))
    return 0;
  search->found = is_llvm(info->dlpi_name) && *(const uint32_t *)search->mark->address == (uint32_t)search->mark->value;
  snprintf(search->path, search->size, "%s", info->dlpi_name[0] != '\0' ? info->dlpi_name : search->mark->name);
  return true;
}

static bool is_mark(const char *text, struct mark *mark)
{
  return text != NULL && sscanf(text, "%" SCNxPTR "-%lx-%63s", &mark->address, &mark->value, mark->name) == 3 &&
         mark->address % sizeof(uint32_t) == 0;
}

static bool is_marked_by(const char *text, char *path, size_t size)
{
  struct mark mark;
  struct search search = {&mark, path, size, false};
  if (is_mark(text, &mark))
    dl_iterate_phdr(look_for_marked, &search);
  return search.found;
}

/* Every user can make something of that name.  So a file of another user says nothing; links are not followed; and
   nothing makes this process wait, as a FIFO or a file with a lease would.  The real user, because LLVM's runtime asks for that,
   too: a filter that ends the process at geteuid leaves that one alone.  */
static bool read_own(const char *path, char *text, size_t size)
{
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (file < 0)
    return false;
  bool is_own = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == getuid();
  ssize_t length = is_own ? read(file, text, size - 1) : -1;
  close(file);
  text[length > 0 ? length : 0] = '\0';
  return length > 0;
}

static bool is_marked_in(const char *folder, const char *name, char *path, size_t size)
{
  char place[128], text[256];
  snprintf(place, sizeof place, "%s/%s", folder, name);
  return read_own(place, text, sizeof text) && is_marked_by(text, path, size);
}

/* In secure execution (setuid) the variables and the user's files come from whoever must not learn what is in this
   process's memory.  */
bool ghcomp_machine_finds_llvm(char *path, size_t size)
{
  char with_user[80], without[64];
  if (getauxval(AT_SECURE) != 0)
    return false;
  snprintf(with_user, sizeof with_user, "__KMP_REGISTERED_LIB_%d_%d", (int)getpid(), (int)getuid());
  snprintf(without, sizeof without, "__KMP_REGISTERED_LIB_%d", (int)getpid());
  return is_marked_in("/dev/shm", with_user, path, size) || is_marked_in("/tmp", with_user, path, size) ||
         is_marked_in("/dev/shm", without, path, size) || is_marked_by(getenv(with_user), path, size) ||
         is_marked_by(getenv(without), path, size);
}
