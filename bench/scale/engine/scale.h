/* What programs that run in the engine call.  */
#ifndef SCALE_H
#define SCALE_H
#include <stdint.h>

double scale_now(void);         /* the virtual clock of the calling thread, in ns */
void scale_work(double ns);     /* computes for so long */
void scale_pauses(double factor); /* makes each pause so many times as long: of use while nothing happens */
void scale_count_program(int yes); /* whether the program's own accesses count; they don't at the start */

struct scale_counts {
  uint64_t transfers, calls, wakes;
};
struct scale_counts scale_counts(void); /* of all threads, since the start */

/* For a report: what comes between the two, and what it's called.  `begin` forgets what was before.  */
void scale_begin(void);
void scale_end(const char *row, double rounds);
#endif
