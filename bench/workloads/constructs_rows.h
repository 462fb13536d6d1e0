/* One operation of each construct, for programs that measure its cost.  */
#ifndef CONSTRUCTS_ROWS_H
#define CONSTRUCTS_ROWS_H

struct row {
  const char *name;
  long (*run)(long n); /* returns how many of n operations were executed */
  long unit;           /* n must be a multiple of this */
  int only;            /* the number of threads for which the row makes sense; 0: any */
};

extern const struct row rows[];
extern const int row_count;

/* The number of threads of each region; set before a row runs.  */
extern int threads;

#endif
