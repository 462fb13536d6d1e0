/* Places and binding (OpenMP 5.2, 10.1, 21.1.6).

   The place list is made once, from OMP_PLACES or GOMP_CPU_AFFINITY, and does
   not change afterwards.  When there is none (OMP_PROC_BIND=false, or binding
   was not asked for), count is 0 and no thread is ever bound.  */
#ifndef GHCOMP_PLACES_PLACES_H
#define GHCOMP_PLACES_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/* omp_proc_bind_t */
enum proc_bind {
  BIND_FALSE = 0,
  BIND_TRUE = 1,
  BIND_PRIMARY = 2,
  BIND_CLOSE = 3,
  BIND_SPREAD = 4,
};

struct places {
  unsigned count;
  struct place *list; /* opaque: a CPU set each */
};
extern struct places ghcomp_places;

/* A contiguous run of places, as place-partition-var: first place and how
   many (wraps never).  */
struct partition {
  unsigned first, length;
};

/* Makes the list from the texts of OMP_PLACES and GOMP_CPU_AFFINITY (either
   may be NULL; the second counts where the first gives no list).  A text that
   is not understood, or names only processors that this process may not use,
   gets a message that says `otherwise` is used.  False: there is no list.
   Called by ghcomp_env_read only.  */
bool ghcomp_places_read(const char *omp_places, const char *gomp_cpu_affinity,
                        const char *otherwise);

/* Back to no list.  Before the first region only.  */
void ghcomp_places_drop(void);

/* Makes a list of one place per hardware thread of the affinity mask when
   binding was asked for and no list was given.  */
void ghcomp_places_default(void);

/* Prints the list in OMP_PLACES syntax ("{0},{1:2}") into buffer; returns the
   length of the whole, as snprintf does.  */
size_t ghcomp_places_print(char *buffer, size_t size);

unsigned ghcomp_places_processors(unsigned place);              /* how many */
void ghcomp_places_processor_ids(unsigned place, int *ids);

/* Binds the calling OS thread to the place.  Failure is silent (the mask of
   the process may have shrunk meanwhile).  */
void ghcomp_places_bind_self(unsigned place);

/* Where the members of a team go: for member i of `threads`, given the
   parent's partition and place and the binding policy, its place and its
   partition.  Pure.  Spec: 5.2, 10.1.3.  */
void ghcomp_places_assign(int policy, unsigned threads, unsigned i, struct partition parent,
                          unsigned parent_place, unsigned *place, struct partition *partition);

#endif
