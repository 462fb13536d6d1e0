/* The sections and symbols of a 64-bit ELF file.  The file may be anything, so every offset and
   size in it is checked.  */
#ifndef GHCOMP_MACHINE_ELF_H
#define GHCOMP_MACHINE_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct image {
  const unsigned char *bytes; /* NULL: an empty file */
  size_t size;
};

/* Makes the file's bytes readable.  False: the file cannot be read, or is not a regular file.  */
bool ghcomp_elf_open(const char *path, struct image *image);
void ghcomp_elf_close(struct image *image);

/* The bytes at an offset; NULL: the file does not have so many.  */
const void *ghcomp_elf_part(const struct image *image, size_t offset, size_t size);

/* The file's header; NULL: it is not a 64-bit ELF file.  */
const Elf64_Ehdr *ghcomp_elf_header(const struct image *image);

struct section {
  const void *bytes; /* NULL: there is no such section */
  size_t size;
};
struct section ghcomp_elf_section(const struct image *image, const char *name);

/* Calls `see` for each symbol of the tables of the type (SHT_SYMTAB, SHT_DYNSYM).  */
void ghcomp_elf_symbols(const struct image *image, unsigned type,
                        void (*see)(void *state, const char *name, const Elf64_Sym *symbol), void *state);

#endif
