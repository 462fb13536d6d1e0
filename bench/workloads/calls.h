/* Threads that call a library at the same time.  */
#pragma once

struct calls {
  const char *what;            /* the name of a call, in the rows' names */
  void *(*make)(void);         /* makes what a thread calls with */
  void (*prepare)(void *mine); /* before each call, not timed */
  void (*call)(void *mine);
  int (*is_right)(const void *mine); /* after each call, not timed */
};

/* Ends the program with a message if there are no callers, or fewer calls than callers.  */
void calls_check(const struct calls *calls, long callers, long count);

/* `callers` threads make `count` calls; a wrong result ends the program.  Prints rows in milliseconds.  */
void calls_measure(const struct calls *calls, long callers, long count);
