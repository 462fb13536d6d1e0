/* Whether the runtime can serve a program, and how it reaches the program.  */
#ifndef APP_SUIT_H
#define APP_SUIT_H

#include "app/elf.h"

#include <limits.h>
#include <stdbool.h>

enum suit {
  SUIT_PATH,    /* LD_LIBRARY_PATH is enough */
  SUIT_PRELOAD, /* LD_PRELOAD, too: another libgomp would come first, or is loaded later */
  SUIT_INSIDE,  /* nothing: this runtime is inside of it */
  SUIT_NOT,
};

/* Whether the program has regions that can be served.  */
enum certainty {
  SUIT_SURE,  /* the program is linked with a libgomp */
  SUIT_LATER, /* depends on what the program loads or starts */
};

struct judgement {
  enum suit suit;
  enum certainty certainty;
  bool is_library; /* a library, which a program loads; it cannot be run */
  enum elf_rts rts; /* of SUIT_INSIDE */
  char because[3 * PATH_MAX]; /* a printable sentence without its full stop; begins with the file's name */
};

/* What a file says, for the functions below.  Cost: reads headers and names of symbols, which takes a millisecond or two for a program of
   30 MB; so it is read once.  */
struct suit_file {
  const char *path;
  bool is_readable;
  struct elf elf; /* if it is readable */
};

void suit_read(const char *path, struct suit_file *file);

/* The runtime is inside of the program, by the Haskell package: nothing has to reach it.  */
bool suit_is_inside(const struct suit_file *file);

/* For a program, or a library that a program loads.  Executes nothing of it, and nothing that it names.  `folders_are_ours`: nobody but
   ghcomp has said where libraries are.  Then a program that itself names an OpenMP runtime, and no folders, gets
   the library; the answer does not say more.
   Cost: for any other program this system's dynamic linker runs.  */
void suit_judge(const struct suit_file *file, const char *library, bool folders_are_ours, struct judgement *judgement);

#endif
