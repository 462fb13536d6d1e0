/* Whether the runtime can serve a program, and how it reaches the program.  */
#ifndef APP_SUIT_H
#define APP_SUIT_H

#include <limits.h>
#include <stdbool.h>

enum suit {
  SUIT_PATH,    /* LD_LIBRARY_PATH is enough */
  SUIT_PRELOAD, /* LD_PRELOAD, too: another libgomp would come first, or is loaded later */
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
  char because[3 * PATH_MAX]; /* a sentence without its full stop; begins with the file's name */
};

/* For a program, or a library that a program loads.  Executes nothing of it.  */
void suit_judge(const char *file, const char *library, struct judgement *judgement);

/* True: the program names an OpenMP runtime among its own libraries, and neither it nor the environment says
   where libraries are.  So a folder in LD_LIBRARY_PATH decides which file it gets, and the dynamic linker
   need not be asked.
   Called before LD_LIBRARY_PATH is changed.
   Cost: reads the program's headers; suit_judge starts a process. */
bool suit_is_plain(const char *file);

#endif
