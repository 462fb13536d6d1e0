/* What the headers and dynamic symbols of a program say about it.  */
#include "app/elf.h"

#include "machine/elf.h"
#include "machine/process.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#else
#define OUR_MACHINE EM_NONE
#endif

static bool is_one_of(const char *name, const char *const *list)
{
  while (*list != NULL && strcmp(name, *list) != 0)
    list++;
  return *list != NULL;
}

static void note_symbol(void *state, const char *name, const Elf64_Sym *symbol)
{
  static const char *const loaders[] = {"dlopen", "dlmopen", NULL};
  static const char *const starters[] = {"execl", "execle", "execlp", "execv", "execve", "execvp",
                                         "execvpe", "fexecve", "posix_spawn", "posix_spawnp",
                                         "system", "popen", NULL};
  struct elf *elf = state;
  if (symbol->st_shndx != SHN_UNDEF) {
    elf->has_runtime |= strcmp(name, "GOMP_parallel") == 0 || strcmp(name, "__kmpc_fork_call") == 0;
  } else {
    elf->loads_libraries |= is_one_of(name, loaders);
    elf->starts_programs |= is_one_of(name, starters);
  }
}

bool elf_names_runtime(const char *library)
{
  return strcmp(library, "libgomp.so.1") == 0 || ghcomp_machine_names_llvm(library);
}

static void note_entry(const Elf64_Dyn *entry, struct section names, struct elf *elf)
{
  elf->has_folders |= entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH;
  if (entry->d_tag != DT_NEEDED || entry->d_un.d_val >= names.size)
    return;
  const char *name = (const char *)names.bytes + entry->d_un.d_val;
  elf->needs_runtime |= elf_names_runtime(name);
}

static void read_needs(const struct image *image, struct elf *elf)
{
  struct section list = ghcomp_elf_section(image, ".dynamic"), names = ghcomp_elf_section(image, ".dynstr");
  if (list.bytes == NULL || names.bytes == NULL || names.size == 0 || ((const char *)names.bytes)[names.size - 1] != '\0')
    return;
  for (size_t i = 0; i < list.size / sizeof(Elf64_Dyn); i++)
    note_entry((const Elf64_Dyn *)list.bytes + i, names, elf);
}

/* A position-independent static program has such a segment, too, but needs no library and has no
   name.  */
static bool is_of_library(const struct image *image, const Elf64_Phdr *segment)
{
  const Elf64_Dyn *list = ghcomp_elf_part(image, segment->p_offset, segment->p_filesz);
  for (size_t i = 0; list != NULL && i < segment->p_filesz / sizeof *list; i++)
    if (list[i].d_tag == DT_NEEDED || list[i].d_tag == DT_SONAME)
      return true;
  return false;
}

static void read_segments(const struct image *image, const Elf64_Ehdr *header, struct elf *elf)
{
  const Elf64_Phdr *list = ghcomp_elf_part(image, header->e_phoff, header->e_phnum * sizeof *list);
  for (unsigned i = 0; list != NULL && i < header->e_phnum; i++) {
    if (list[i].p_type == PT_DYNAMIC && elf->kind == ELF_STATIC && is_of_library(image, &list[i]))
      elf->kind = ELF_LIBRARY; /* unless it has an interpreter */
    if (list[i].p_type != PT_INTERP)
      continue;
    const char *text = ghcomp_elf_part(image, list[i].p_offset, list[i].p_filesz);
    if (text == NULL)
      continue;
    snprintf(elf->interpreter, sizeof elf->interpreter, "%.*s", (int)list[i].p_filesz, text);
    elf->kind = ELF_DYNAMIC;
  }
}

static void read_image(const struct image *image, struct elf *elf)
{
  const unsigned char *ident = ghcomp_elf_part(image, 0, EI_NIDENT);
  if (ident == NULL || memcmp(ident, ELFMAG, SELFMAG) != 0)
    return;
  const Elf64_Ehdr *header = ghcomp_elf_header(image);
  elf->kind = ELF_FOREIGN;
  if (header == NULL || header->e_machine != OUR_MACHINE)
    return;
  elf->kind = ELF_STATIC;
  read_segments(image, header, elf);
  read_needs(image, elf);
  ghcomp_elf_symbols(image, SHT_DYNSYM, note_symbol, elf);
}

bool elf_read(const char *path, struct elf *elf)
{
  struct image image;
  memset(elf, 0, sizeof *elf);
  elf->kind = ELF_NOT;
  if (!ghcomp_elf_open(path, &image))
    return false;
  read_image(&image, elf);
  ghcomp_elf_close(&image);
  return true;
}
