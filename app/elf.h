/* What an executable file needs, read from its ELF headers.  */
#ifndef APP_ELF_H
#define APP_ELF_H

#include <stdbool.h>

enum elf_kind {
  ELF_NOT,     /* not an ELF file */
  ELF_FOREIGN, /* for another machine or word size */
  ELF_STATIC,  /* no dynamic section with an interpreter */
  ELF_DYNAMIC,
};

enum { ELF_MOST_NEEDED = 128 };

struct elf {
  enum elf_kind kind;
  unsigned count;
  char *needed[ELF_MOST_NEEDED]; /* NEEDED entries */
  char *path;                    /* RUNPATH or RPATH, or NULL */
  bool is_rpath;                 /* searched before LD_LIBRARY_PATH */
};

/* False when the file cannot be read (errno says why).  */
bool elf_read(const char *path, struct elf *elf);

#endif
