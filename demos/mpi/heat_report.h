/* The properties of a rank, and one line about all ranks: shared by the C and the Haskell program.  */
#include <stdbool.h>

struct report {
  int processors; /* that the launcher's binding allows, at the beginning */
  int capabilities; /* of a Haskell program; 0: a C program */
  int threads;    /* of a region */
  char served_by[60];
};

struct report report_make(void);           /* starts a region */
void report_print(const struct report *own, const char *what, bool right); /* collective; rank 0 prints */
