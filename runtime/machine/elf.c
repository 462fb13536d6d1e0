/* Reading ELF files.  */
#include "machine/elf.h"

#include "machine/disturbance.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool map_file(int file, struct image *image)
{
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  *image = (struct image){NULL, (size_t)status.st_size};
  if (image->size == 0)
    return true;
  void *bytes = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED)
    return false;
  image->bytes = bytes;
  return true;
}

bool ghcomp_elf_open(const char *path, struct image *image)
{
  int cancellation = ghcomp_machine_hold_cancellation();
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO, which is no ELF file, would make it wait */
  bool ok = file >= 0 && map_file(file, image);
  if (file >= 0)
    close(file);
  ghcomp_machine_let_cancellation(cancellation);
  return ok;
}

void ghcomp_elf_close(struct image *image)
{
  if (image->bytes != NULL)
    munmap((void *)image->bytes, image->size);
}

const void *ghcomp_elf_part(const struct image *image, size_t offset, size_t size)
{
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

const Elf64_Ehdr *ghcomp_elf_header(const struct image *image)
{
  const Elf64_Ehdr *header = ghcomp_elf_part(image, 0, sizeof *header);
  bool ok = header != NULL && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
            header->e_ident[EI_CLASS] == ELFCLASS64;
  return ok ? header : NULL;
}

/* The list of sections.  If there is none, *count is 0.  */
static const Elf64_Shdr *sections(const struct image *image, unsigned *count)
{
  const Elf64_Ehdr *header = ghcomp_elf_header(image);
  const Elf64_Shdr *list =
      header != NULL ? ghcomp_elf_part(image, header->e_shoff, header->e_shnum * sizeof *list) : NULL;
  *count = list != NULL ? header->e_shnum : 0;
  return list;
}

struct section ghcomp_elf_section(const struct image *image, const char *name)
{
  unsigned count;
  const Elf64_Shdr *list = sections(image, &count);
  unsigned names_at = count != 0 ? ghcomp_elf_header(image)->e_shstrndx : 0;
  if (names_at >= count)
    return (struct section){NULL, 0};
  const Elf64_Shdr *strings = &list[names_at];
  const char *names = ghcomp_elf_part(image, strings->sh_offset, strings->sh_size);
  size_t length = strlen(name) + 1;
  for (unsigned i = 0; names != NULL && i < count; i++)
    if (list[i].sh_name < strings->sh_size && strings->sh_size - list[i].sh_name >= length &&
        memcmp(names + list[i].sh_name, name, length) == 0)
      return (struct section){ghcomp_elf_part(image, list[i].sh_offset, list[i].sh_size), list[i].sh_size};
  return (struct section){NULL, 0};
}

static void see_table(const struct image *image, const Elf64_Shdr *table, const Elf64_Shdr *strings,
                      void (*see)(void *, const char *, const Elf64_Sym *), void *state)
{
  const Elf64_Sym *symbols = ghcomp_elf_part(image, table->sh_offset, table->sh_size);
  const char *names = ghcomp_elf_part(image, strings->sh_offset, strings->sh_size);
  if (symbols == NULL || names == NULL || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0')
    return;
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
    if (symbols[i].st_name < strings->sh_size)
      see(state, names + symbols[i].st_name, &symbols[i]);
}

void ghcomp_elf_symbols(const struct image *image, unsigned type,
                        void (*see)(void *, const char *, const Elf64_Sym *), void *state)
{
  unsigned count;
  const Elf64_Shdr *list = sections(image, &count);
  for (unsigned i = 0; i < count; i++)
    if (list[i].sh_type == type && list[i].sh_link < count)
      see_table(image, &list[i], &list[list[i].sh_link], see, state);
}
