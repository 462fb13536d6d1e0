/* Can our library serve this program, and how does it get there?  */
#ifndef APP_SUIT_H
#define APP_SUIT_H

#include <limits.h>
#include <stdbool.h>

enum suit {
  SUIT_PATH,    /* LD_LIBRARY_PATH is enough */
  SUIT_PRELOAD, /* LD_PRELOAD too: another libgomp would come first, or later */
  SUIT_NOT,
};

/* Whether it has regions that can be served.  */
enum certainty {
  SUIT_SURE,  /* it is linked with a libgomp */
  SUIT_LATER, /* that depends on what it loads or starts */
};

struct judgement {
  enum suit suit;
  enum certainty certainty;
  bool is_library; /* which a program loads; it cannot be run */
  char because[3 * PATH_MAX]; /* a sentence without its full stop; begins with the file's name */
};

/* Of a program, or of a library that a program loads.  Nothing of it is run.  */
void suit_judge(const char *file, const char *library, struct judgement *judgement);

#endif
