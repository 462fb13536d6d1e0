/* One operation of each construct, for programs that measure what it costs.  */
#ifndef CONSTRUCTS_ROWS_H
#define CONSTRUCTS_ROWS_H

struct row {
  const char *name;
  long (*run)(long n); /* returns how many of n operations it saw done */
  long unit;           /* operations come in multiples of this */
  int only;            /* thread count for which the row makes sense; 0: any */
};

extern const struct row rows[];
extern const int row_count;

/* Of each region; set before a row runs.  */
extern int threads;

#endif
