/* What the kinds of turns_corpus share.  A kind is what all masters do: each repeats a round of its own, until the program ends.  */
#pragma once

#include <pthread.h>
#include <stdint.h>

enum way { SPIN, YIELD, PIPE };                                /* how a region waits for another one */
enum form { COMPUTES, SLEEPS, READS_A_PIPE, PASSES_BARRIERS }; /* what a long region does */
enum order { FIRST, LAST };                                    /* when those that wait arrive */

struct corpus {
  long masters, asks, places, steps, way, form, order, processes;
  uint64_t expected; /* the sum of a region */
};
extern struct corpus corpus;

struct master {
  _Alignas(128) pthread_t thread;
  long number;
  long count; /* what it has done; only this thread writes it */
};

struct kind {
  const char *name;
  const char *counts[2];     /* what masters count; NULL: nothing */
  int (*which)(long number); /* what this master counts: 0, 1, or -1: nothing; NULL: all count the first */
  void (*prepare)(void);     /* before there are threads; NULL: nothing to do */
  void (*round)(struct master *master);
};

extern const struct kind corpus_callers, corpus_prepare, corpus_come_and_go, corpus_nested, corpus_ask_only, corpus_sleeping, corpus_long, corpus_meet,
    corpus_exchange, corpus_chain, corpus_interpreter_lock, corpus_spin_lock;

/* Ends the program with a message.  */
_Noreturn void corpus_fail(const char *what);

/* Adds to what a master has done.  */
static inline void corpus_count(struct master *master, long more)
{
  __atomic_store_n(&master->count, master->count + more, __ATOMIC_RELAXED);
}

/* Asks for the size of a team, if the case says so, from one of the places.  */
void corpus_ask(const struct master *master);

/* Asks from that place in the program, 0 to 7.  */
enum { MOST_PLACES = 8 };
void corpus_ask_from(long place);

/* A region of `steps` steps for each of its 64 iterations, whose first thread then calls `inside`, if there is one.  */
void corpus_region(long steps, void (*inside)(void *), void *argument);

/* What a region does without a runtime: the same work, on the calling thread.  */
void corpus_compute(long steps);

/* While a region waits for another one in memory.  */
void corpus_pause(void);

/* Bytes of pipes; an error ends the program.  */
void corpus_pipe(int ends[2]);
void corpus_put(int pipe, char byte);
char corpus_take(int pipe);
