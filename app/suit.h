/* Can our library serve this program, and how does it get there?  */
#ifndef APP_SUIT_H
#define APP_SUIT_H

enum suit {
  SUIT_PATH,    /* LD_LIBRARY_PATH is enough */
  SUIT_PRELOAD, /* LD_PRELOAD too: another libgomp would come first, or later */
};

/* `library` is ours; its folder is in LD_LIBRARY_PATH already.  Ends the process
   with a message and EXIT_UNSUITABLE where the library cannot serve.  */
enum suit suit_examine(const char *program, const char *library);

#endif
