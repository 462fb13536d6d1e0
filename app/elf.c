/* Reading the headers and dynamic symbols of a 64-bit ELF file.  Nothing in the
   file is believed unchecked.  */
#include "app/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#else
#define OUR_MACHINE EM_NONE
#endif

struct image {
  const unsigned char *bytes;
  size_t size;
};

static const void *part(const struct image *image, size_t offset, size_t size)
{
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

static bool is_one_of(const char *name, const char *const *list)
{
  while (*list != NULL && strcmp(name, *list) != 0)
    list++;
  return *list != NULL;
}

static void note_symbol(const char *name, bool is_defined, struct elf *elf)
{
  static const char *const loaders[] = {"dlopen", "dlmopen", NULL};
  static const char *const starters[] = {"execl", "execle", "execlp", "execv", "execve", "execvp",
                                         "execvpe", "fexecve", "posix_spawn", "posix_spawnp",
                                         "system", "popen", NULL};
  if (is_defined) {
    elf->has_runtime |= strcmp(name, "GOMP_parallel") == 0;
  } else {
    elf->loads_libraries |= is_one_of(name, loaders);
    elf->starts_programs |= is_one_of(name, starters);
  }
}

static void read_symbols(const struct image *image, const Elf64_Shdr *table,
                         const Elf64_Shdr *strings, struct elf *elf)
{
  const Elf64_Sym *symbols = part(image, table->sh_offset, table->sh_size);
  const char *names = part(image, strings->sh_offset, strings->sh_size);
  if (symbols == NULL || names == NULL || strings->sh_size == 0 ||
      names[strings->sh_size - 1] != '\0')
    return;
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
    if (symbols[i].st_name < strings->sh_size)
      note_symbol(names + symbols[i].st_name, symbols[i].st_shndx != SHN_UNDEF, elf);
}

static void read_sections(const struct image *image, const Elf64_Ehdr *header, struct elf *elf)
{
  const Elf64_Shdr *list = part(image, header->e_shoff, header->e_shnum * sizeof *list);
  for (unsigned i = 0; list != NULL && i < header->e_shnum; i++)
    if (list[i].sh_type == SHT_DYNSYM && list[i].sh_link < header->e_shnum)
      read_symbols(image, &list[i], &list[list[i].sh_link], elf);
}

/* A static program that may stand anywhere has such a segment too, but needs nothing and has no name.  */
static bool is_of_library(const struct image *image, const Elf64_Phdr *segment)
{
  const Elf64_Dyn *list = part(image, segment->p_offset, segment->p_filesz);
  for (size_t i = 0; list != NULL && i < segment->p_filesz / sizeof *list; i++)
    if (list[i].d_tag == DT_NEEDED || list[i].d_tag == DT_SONAME)
      return true;
  return false;
}

static void read_segments(const struct image *image, const Elf64_Ehdr *header, struct elf *elf)
{
  const Elf64_Phdr *list = part(image, header->e_phoff, header->e_phnum * sizeof *list);
  for (unsigned i = 0; list != NULL && i < header->e_phnum; i++) {
    if (list[i].p_type == PT_DYNAMIC && elf->kind == ELF_STATIC && is_of_library(image, &list[i]))
      elf->kind = ELF_LIBRARY; /* unless there is an interpreter too */
    if (list[i].p_type != PT_INTERP)
      continue;
    const char *text = part(image, list[i].p_offset, list[i].p_filesz);
    if (text == NULL)
      continue;
    snprintf(elf->interpreter, sizeof elf->interpreter, "%.*s", (int)list[i].p_filesz, text);
    elf->kind = ELF_DYNAMIC;
  }
}

static void read_image(const struct image *image, struct elf *elf)
{
  const Elf64_Ehdr *header = part(image, 0, sizeof *header);
  const unsigned char *ident = part(image, 0, EI_NIDENT);
  if (ident == NULL || memcmp(ident, ELFMAG, SELFMAG) != 0)
    return;
  elf->kind = ELF_FOREIGN;
  if (header == NULL || ident[EI_CLASS] != ELFCLASS64 || header->e_machine != OUR_MACHINE)
    return;
  elf->kind = ELF_STATIC;
  read_segments(image, header, elf);
  read_sections(image, header, elf);
}

static bool read_file(int file, struct elf *elf)
{
  struct stat status;
  if (fstat(file, &status) != 0)
    return false;
  if (status.st_size == 0)
    return true;
  struct image image = {NULL, (size_t)status.st_size};
  void *bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED)
    return false;
  image.bytes = bytes;
  read_image(&image, elf);
  munmap(bytes, image.size);
  return true;
}

bool elf_read(const char *path, struct elf *elf)
{
  memset(elf, 0, sizeof *elf);
  elf->kind = ELF_NOT;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool ok = read_file(file, elf);
  close(file);
  return ok;
}
