/* A row is a construct, run by a team of n threads on virtual processors.  Each row is run by a process of its own, so its
   numbers do not depend on the other rows.  */
#ifndef SCALE_ROWS_H
#define SCALE_ROWS_H
#include "scale.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 512 };
struct row {
  const char *name, *shows, *unit; /* the time of what */
  void (*run)(void);
  int cold; /* runs in a process that has had no region yet; others follow some regions of n threads */
  const char *setting; /* "NAME=value", for a row of our runtime alone */
};
#define ROW(name, run, unit, shows) {name, shows, unit, run, 0, NULL}
#define COLD_ROW(name, run, unit, shows) {name, shows, unit, run, 1, NULL}
#define COLD_ROW_WITH(setting, name, run, unit, shows) {name, shows, unit, run, 1, setting}
extern const struct row team_rows[], master_rows[], barrier_rows[], shared_rows[], loop_rows[], turn_rows[], reduction_rows[], task_rows[],
    task_form_rows[];
/* Rows of a real machine alone, which only some programs have.  */
extern const struct row machine_rows[] __attribute__((weak));

extern int n;
extern struct padded {
  double left;
  char pad[120];
} of[MOST_THREADS];

/* Between the two is what the row shows; `end` divides it by `per`.  The last one of a row counts.  */
void begin(void);
void end(double per);
/* In place of `end`, for a row that shows another time than that from begin to end.  */
void end_with(double ns, double per);
/* Ends the program, if a construct has computed something wrong.  */
void expect(int right);

/* Outer times inner threads are n, with as many of one as of the other, or twice as many inside.  */
int outer_of(void);

double setting(const char *name, double otherwise);
/* Sleeps until all workers sleep.  */
void doze(void);

/* A region: from the fork to the last thread's begin.  */
double last_to_begin(void);

/* A barrier at which the master is late by `ns` and a little more each time, and thread `other` (-1: none) by 2 us less: from its
   arrival to the last departure.  */
void late_by(double ns, int other);

#define TIMES(count) for (int r_ = 0; r_ < (count); r_++)
#endif
