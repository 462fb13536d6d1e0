/* storey: machine */
/* Sections and symbols of this very program, and of damaged copies of it, which must not lead to a
   read beyond their end.  */
#include "machine/elf.h"
#include "expect.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { CUTS = 300, DAMAGED = 2000 };

int elf_test_looked_for = 7; /* a symbol that the full table has */

static unsigned found, seen;

static void look(void *state, const char *name, const Elf64_Sym *symbol)
{
  seen++;
  if (strcmp(name, state) == 0 && symbol->st_shndx != SHN_UNDEF)
    found += symbol->st_size == sizeof(int);
}

static void count_name(void *state, const char *name, const Elf64_Sym *symbol)
{
  (void)symbol;
  *(size_t *)state += strlen(name); /* reads the whole name */
}

static void reads_itself(void)
{
  struct image image;
  if (!EXPECT(ghcomp_elf_open("/proc/self/exe", &image)))
    return;
  EXPECT(ghcomp_elf_header(&image) != NULL);
  ghcomp_elf_symbols(&image, SHT_SYMTAB, look, (void *)"elf_test_looked_for");
  EXPECT_NUMBER(found, 1);
  EXPECT(seen > 10);
  struct section constants = ghcomp_elf_section(&image, ".rodata");
  EXPECT(constants.bytes != NULL && memmem(constants.bytes, constants.size, "elf_test_looked_for", 20) != NULL);
  EXPECT(ghcomp_elf_section(&image, ".rodat").bytes == NULL);
  EXPECT(ghcomp_elf_section(&image, "").bytes == NULL || ghcomp_elf_section(&image, "").size == 0);
  EXPECT(ghcomp_elf_part(&image, image.size, 0) != NULL);
  EXPECT(ghcomp_elf_part(&image, image.size, 1) == NULL);
  EXPECT(ghcomp_elf_part(&image, 1, SIZE_MAX) == NULL);
  EXPECT(ghcomp_elf_part(&image, SIZE_MAX, 2) == NULL);
  ghcomp_elf_close(&image);
}

static void read_all_of(const struct image *image)
{
  size_t length = 0;
  ghcomp_elf_symbols(image, SHT_SYMTAB, count_name, &length);
  ghcomp_elf_symbols(image, SHT_DYNSYM, count_name, &length);
  struct section section = ghcomp_elf_section(image, ".rodata");
  if (section.bytes != NULL)
    EXPECT((const unsigned char *)section.bytes >= image->bytes &&
           (const unsigned char *)section.bytes + section.size <= image->bytes + image->size);
}

/* A copy of exactly that size, so that AddressSanitizer finds a read beyond its end.  */
static unsigned char *copy_of(const struct image *image, size_t size)
{
  unsigned char *copy = malloc(size != 0 ? size : 1);
  if (copy == NULL)
    abort();
  memcpy(copy, image->bytes, size);
  return copy;
}

static unsigned next_random(void)
{
  static unsigned long state = 88172645463325252ul;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 11);
}

static void survives_damage(void)
{
  struct image image;
  if (!EXPECT(ghcomp_elf_open("/proc/self/exe", &image)))
    return;
  for (unsigned i = 0; i < CUTS; i++) {
    size_t size = i < 100 ? i : next_random() % image.size;
    struct image cut = {copy_of(&image, size), size};
    read_all_of(&cut);
    free((void *)cut.bytes);
  }
  unsigned char *bytes = copy_of(&image, image.size);
  struct image damaged = {bytes, image.size};
  Elf64_Ehdr header = *(const Elf64_Ehdr *)image.bytes;
  size_t sections = header.e_shnum * sizeof(Elf64_Shdr);
  for (unsigned i = 0; i < DAMAGED; i++) {
    size_t at = i % 2 == 0 ? next_random() % sizeof header : header.e_shoff + next_random() % sections;
    bytes[at] = (unsigned char)next_random();
    read_all_of(&damaged);
    if (i % 8 == 7) { /* starts again with an undamaged copy */
      memcpy(bytes, image.bytes, sizeof header);
      memcpy(bytes + header.e_shoff, image.bytes + header.e_shoff, sections);
    }
  }
  free(bytes);
  ghcomp_elf_close(&image);
}

static void other_files(void)
{
  struct image image;
  char name[] = "/tmp/ghcomp-elf-XXXXXX";
  int file = mkstemp(name);
  EXPECT(file >= 0 && ghcomp_elf_open(name, &image));
  EXPECT(image.size == 0 && ghcomp_elf_header(&image) == NULL);
  read_all_of(&image);
  ghcomp_elf_close(&image);
  EXPECT_NUMBER(write(file, "#!/bin/sh\n", 10), 10);
  EXPECT(ghcomp_elf_open(name, &image));
  EXPECT(ghcomp_elf_header(&image) == NULL);
  ghcomp_elf_close(&image);
  close(file);
  unlink(name);
  EXPECT(!ghcomp_elf_open(name, &image));
}

int main(void)
{
  reads_itself();
  survives_damage();
  other_files();
  return expect_result();
}
