/* Reading NEEDED and RUNPATH entries of a 64-bit ELF file.  */
#include "app/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
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

/* The file offset of a virtual address.  */
static size_t offset_of(const Elf64_Phdr *segments, unsigned count, size_t address)
{
  for (unsigned i = 0; i < count; i++)
    if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr &&
        address < segments[i].p_vaddr + segments[i].p_filesz)
      return address - segments[i].p_vaddr + segments[i].p_offset;
  return SIZE_MAX;
}

static char *string_at(const struct image *image, size_t table, size_t offset)
{
  const char *text = part(image, table + offset, 1);
  if (text == NULL || memchr(text, '\0', image->size - table - offset) == NULL)
    return NULL;
  return strdup(text);
}

static void read_dynamic(const struct image *image, const Elf64_Phdr *segments, unsigned count,
                         const Elf64_Phdr *dynamic, struct elf *elf)
{
  size_t entries = dynamic->p_filesz / sizeof(Elf64_Dyn), strings = SIZE_MAX;
  const Elf64_Dyn *list = part(image, dynamic->p_offset, entries * sizeof *list);
  for (size_t i = 0; list != NULL && i < entries; i++)
    if (list[i].d_tag == DT_STRTAB)
      strings = offset_of(segments, count, list[i].d_un.d_ptr);
  for (size_t i = 0; strings != SIZE_MAX && i < entries && list[i].d_tag != DT_NULL; i++) {
    size_t at = list[i].d_un.d_val;
    if (list[i].d_tag == DT_NEEDED && elf->count < ELF_MOST_NEEDED) {
      char *name = string_at(image, strings, at);
      if (name != NULL)
        elf->needed[elf->count++] = name;
    } else if (list[i].d_tag == DT_RUNPATH || (list[i].d_tag == DT_RPATH && elf->path == NULL)) {
      elf->path = string_at(image, strings, at);
      elf->is_rpath = list[i].d_tag == DT_RPATH;
    }
  }
}

static void read_image(const struct image *image, struct elf *elf)
{
  const Elf64_Ehdr *header = part(image, 0, sizeof *header);
  const unsigned char *ident = part(image, 0, EI_NIDENT);
  if (ident == NULL || memcmp(ident, ELFMAG, SELFMAG) != 0) {
    elf->kind = ELF_NOT;
    return;
  }
  if (header == NULL || ident[EI_CLASS] != ELFCLASS64 || header->e_machine != OUR_MACHINE) {
    elf->kind = ELF_FOREIGN;
    return;
  }
  elf->kind = ELF_STATIC;
  const Elf64_Phdr *segments =
      part(image, header->e_phoff, header->e_phnum * sizeof *segments);
  for (unsigned i = 0; segments != NULL && i < header->e_phnum; i++)
    if (segments[i].p_type == PT_DYNAMIC) {
      read_dynamic(image, segments, header->e_phnum, &segments[i], elf);
      if (elf->count != 0)
        elf->kind = ELF_DYNAMIC;
    }
}

bool elf_read(const char *path, struct elf *elf)
{
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  memset(elf, 0, sizeof *elf);
  if (file < 0)
    return false;
  if (fstat(file, &status) != 0 || status.st_size == 0) {
    close(file);
    return status.st_size == 0;
  }
  struct image image = {mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0),
                        (size_t)status.st_size};
  close(file);
  if (image.bytes == MAP_FAILED)
    return false;
  read_image(&image, elf);
  munmap((void *)image.bytes, image.size);
  return true;
}
