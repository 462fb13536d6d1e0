/* What a rank is made of, and one line about all of them: shared by the C and the Haskell program.  */
#include <stdbool.h>

struct report {
  int processors; /* that the launcher's binding leaves it, when it began */
  int capabilities; /* of a Haskell program; 0: it is none */
  int threads;    /* of a region */
  char served_by[60];
};

struct report report_make(void);           /* starts a region */
void report_print(const struct report *own, const char *what, bool right); /* collective; rank 0 prints */
