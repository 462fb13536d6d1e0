/* What an executable file is, read from its ELF headers.  */
#ifndef APP_ELF_H
#define APP_ELF_H

#include <limits.h>
#include <stdbool.h>

enum elf_kind {
  ELF_NOT,     /* not an ELF file */
  ELF_FOREIGN, /* for another machine or word size */
  ELF_BROKEN,  /* the system executes no file that names its interpreter so */
  ELF_STATIC,  /* no interpreter, so no library can be put before its own */
  ELF_DYNAMIC,
  ELF_LIBRARY, /* a program loads it */
};

/* GHC's runtime system, as far as the file shows it.  */
enum elf_rts {
  RTS_NOT_SEEN,
  RTS_SINGLE,   /* linked without -threaded */
  RTS_THREADED,
};

struct elf {
  enum elf_kind kind;
  char interpreter[PATH_MAX]; /* the dynamic linker; "" unless ELF_DYNAMIC */
  bool is_plain;              /* the dynamic linker can list its libraries without executing any of it */
  bool loads_libraries;       /* refers to dlopen, or names the library of a language that loads others */
  bool starts_programs;       /* refers to exec*, posix_spawn*, system or popen */
  bool needs_runtime;         /* names an OpenMP runtime as one of its libraries */
  bool has_folders;           /* says where its libraries are (RPATH, RUNPATH) */
  bool has_runtime;           /* defines GOMP_parallel or __kmpc_fork_call itself */
  bool has_ours;              /* defines ghcomp_version, too, or needs the library of the Haskell package: this runtime is inside */
  enum elf_rts rts;           /* of a program with this runtime inside */
};

/* libgomp.so.1, libomp.so.5, libiomp5.so: the names under which programs need a runtime.  */
bool elf_names_runtime(const char *library);

/* libpython3.11.so.1.0, libR.so and others, whose programs load libraries later.  */
bool elf_names_language(const char *library);

/* False: the file cannot be read, and errno says why.  */
bool elf_read(const char *path, struct elf *elf);

#endif
