/* The sections and symbols of a 64-bit ELF file.  Nothing in the file is believed unchecked.  */
#ifndef GHCOMP_MACHINE_ELF_H
#define GHCOMP_MACHINE_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct image {
  const unsigned char *bytes; /* NULL: an empty file */
  size_t size;
};

/* Makes the file's bytes readable.  False when it cannot be read.  */
bool ghcomp_elf_open(const char *path, struct image *image);
void ghcomp_elf_close(struct image *image);

/* So many bytes from there on; NULL: the file does not have them.  */
const void *ghcomp_elf_part(const struct image *image, size_t offset, size_t size);

/* NULL: it is no ELF file of 64-bit words.  */
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
