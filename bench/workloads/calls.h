/* Threads that call a library at the same time.  */
#pragma once

struct calls {
  const char *what;            /* a call, in the rows' names */
  void *(*make)(void);         /* what a thread calls with */
  void (*prepare)(void *mine); /* before each call, not timed */
  void (*call)(void *mine);
  int (*is_right)(const void *mine); /* after each call, not timed */
};

/* Ends the program with a message where there are no callers, or fewer calls than callers.  */
void calls_check(const struct calls *calls, long callers, long count);

/* So many calls by so many threads, which end the program where one is wrong; prints rows in milliseconds.  */
void calls_measure(const struct calls *calls, long callers, long count);
