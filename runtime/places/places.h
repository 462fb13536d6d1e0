/* Places and binding (OpenMP 5.2, 10.1, 21.1.6).

   The place list is made once, from OMP_PLACES or GOMP_CPU_AFFINITY, and does not change
   afterwards.  If there is none (OMP_PROC_BIND=false, or no binding was requested), count is 0, and
   no thread is ever bound.  */
#ifndef GHCOMP_PLACES_PLACES_H
#define GHCOMP_PLACES_PLACES_H

#include "machine/processors.h"

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
  struct processor_set *list;
};
extern struct places ghcomp_places;

/* KMP_AFFINITY=reset: between outermost regions a thread that starts them is bound as the process was.  */
extern bool ghcomp_places_only_inside;

/* A contiguous run of places, as in place-partition-var: the first place, and how many.  It never
   wraps around.  */
struct partition {
  unsigned first, length;
};

/* Makes the list from the texts of OMP_PLACES and GOMP_CPU_AFFINITY.  Either may be NULL; the
   second counts if the first gives no list.  A text that is not understood, or that names only
   processors which this process may not use, gets a message, which says that `otherwise` is used.
   False: there is no list.
   Called by: ghcomp_env_read only.  */
bool ghcomp_places_read(const char *omp_places, const char *gomp_cpu_affinity, bool like_libgomp,
                        const char *otherwise);

/* The same from KMP_AFFINITY's text.  A proc_bind that binds thread i of the outermost
   region to place i, BIND_FALSE where the text asks for none, -1 where it is not
   understood.  */
int ghcomp_places_read_kmp(const char *text);

/* KMP_HIDDEN_HELPER_AFFINITY's text: where tasks for a device are executed.  False: it is not understood.  */
bool ghcomp_places_read_helpers(const char *text);

/* Frees the list; then there is none.
   Requires: no region has started.  */
void ghcomp_places_drop(void);

/* Makes a list with one place for each hardware thread of the affinity mask.  For a request to bind
   without a list.  */
void ghcomp_places_default(void);

/* Prints the list in OMP_PLACES syntax ("{0},{1:2}") into buffer.  Returns the length of the whole
   text, as snprintf does.  */
size_t ghcomp_places_print(char *buffer, size_t size);

unsigned ghcomp_places_processors(unsigned place);              /* how many */
void ghcomp_places_processor_ids(unsigned place, int *ids);

/* Binds the calling OS thread to the place.  A failure is silent, because the process's mask may
   have become smaller meanwhile.  `thread`: its number in the runtime, for `verbose`.  */
void ghcomp_places_bind_self(unsigned place, unsigned thread);

/* The calling OS thread was bound to the place.  It gets the mask back that the process had before, unless it has been given
   another one meanwhile.  Async-signal-safe.  */
void ghcomp_places_return(unsigned place);

/* Binds the calling OS thread to what ghcomp_places_reset_to was given.  */
void ghcomp_places_leave(void);

/* ----------------------------------------------------------- tasks for a device */

enum { MOST_HELPERS = 1024 };

/* places_helpers.c.  KMP_HIDDEN_HELPER_AFFINITY was read, and understood.  */
extern bool ghcomp_places_for_helpers;

/* Where it says so, the calling OS thread is bound to the place of the n-th helper, from 0 on, until it leaves again;
   *before: for the return.  `number`: the helper's, for `verbose`.  False: it is not bound.  */
bool ghcomp_places_enter_helper(unsigned n, unsigned number, struct processor_set *before);
void ghcomp_places_leave_helper(const struct processor_set *before);

/* ------------------------------------------------------------------- verbose */

/* places_verbose.c: the modifier `verbose` of KMP_AFFINITY and KMP_HIDDEN_HELPER_AFFINITY prints LLVM's lines, which
   its users know and their scripts search for.  */

/* KMP_AFFINITY has it.  Written when the environment is read.  */
extern bool ghcomp_places_verbose;

/* Where the calling OS thread may run; the number is its own in the runtime.  */
void ghcomp_places_say_thread(unsigned number);

/* The same, of a thread that the runtime meets or starts: where it is not bound, nothing else will be said.  */
static inline void ghcomp_places_say_new_thread(unsigned number)
{
  if (ghcomp_places_verbose && ghcomp_places.count == 0)
    ghcomp_places_say_thread(number);
}

/* KMP_AFFINITY's text, when the list has been made; binds: from that text.  */
void ghcomp_places_read_verbose(const char *text, bool binds);

/* The place and the partition of member i of a team of `threads`, from the parent's partition and
   place and the binding policy.  Pure.  Spec: 5.2, 10.1.3.  */
void ghcomp_places_assign(int policy, unsigned threads, unsigned i, struct partition parent,
                          unsigned parent_place, unsigned *place, struct partition *partition);

/* ----------------------------------------------------------- lists of places */

/* Lists of places.  A place is a set of processors.  Only the places*.c files use these.  */

enum { MOST_PLACES = MAX_PROCESSORS };

struct place_list {
  struct processor_set *places;
  unsigned count;
};

/* The processors that this process may use; from now on, no others than these.  */
struct processor_set ghcomp_places_allowed(void);
void ghcomp_places_limit(const struct processor_set *to);

/* Keeps of the list what this process may use; `name`, `text`: the variable, for a message.  False: nothing is left,
   and `otherwise` is used.  */
bool ghcomp_places_restrict(const char *name, const char *text, struct place_list *list, const char *otherwise);

/* The same, and makes the list the one in force.  */
bool ghcomp_places_use(const char *name, const char *text, struct place_list *list, const char *otherwise);

/* Places are left between outermost regions, for these processors.  */
void ghcomp_places_reset_to(const struct processor_set *processors);

bool ghcomp_place_list_append(struct place_list *list, const struct processor_set *place); /* false: full */
void ghcomp_place_list_free(struct place_list *list);

/* places_parse.c.  The text may name processors that do not exist here.  False: the text is not in
   the grammar, and the list is empty.  */
bool ghcomp_places_parse_list(const char *text, struct place_list *list);     /* OMP_PLACES */
bool ghcomp_places_parse_affinity(const char *text, struct place_list *list); /* GOMP_CPU_AFFINITY */

/* places_topology.c */
enum place_level { LEVEL_THREADS, LEVEL_CORES, LEVEL_CACHES, LEVEL_SOCKETS, LEVEL_NODES };

/* Reads "cores", "sockets(2)" and so on. *most is the number in parentheses, or MOST_PLACES.  */
bool ghcomp_places_topology_name(const char *text, enum place_level *level, unsigned *most);

/* The name that stands before a "(" at the beginning of the text, whatever follows; NULL: none.  */
const char *ghcomp_places_topology_name_before_number(const char *text);

/* One place for each group of the level that has allowed processors, at most `most`.  They are in
   the order of their first processors; nodes are in the order of their numbers. root is
   SYSTEM_DEVICES, or a copy of it in a test.  */
void ghcomp_places_topology_group(const char *root, enum place_level level, unsigned most,
                                  const struct processor_set *allowed, struct place_list *list);

/* False: places of cores or of sockets, of which the system does not show those of the first allowed processor.  */
bool ghcomp_places_topology_knows(const char *root, enum place_level level, const struct processor_set *allowed);

/* places_kmp.c: KMP_AFFINITY.  */
struct kmp_modifiers {
  bool resets;            /* reset */
  bool verbose;
  unsigned levels_inside; /* of the machine, in a place of the granularity: 0 for a thread, 1 for a core */
};

/* Those of the text alone; none, if it is not in the grammar.  */
struct kmp_modifiers ghcomp_places_kmp_modifiers(const char *text);

/* Returns the proc_bind that it means, BIND_FALSE with an empty list for none, -1 for what is not in the grammar.  An
   explicit list may name processors that are not allowed.  *modifiers: written if the text is in the grammar.  */
int ghcomp_places_parse_kmp(const char *root, const char *text, const struct processor_set *allowed, struct place_list *list,
                            struct kmp_modifiers *modifiers);

/* places_verbose.c.  What KMP_AFFINITY=verbose says first, before what threads say; `variable`: the one that binds.  */
void ghcomp_places_say_machine(const char *root, const char *variable, const struct processor_set *allowed);
void ghcomp_places_say_migration(const char *variable, unsigned levels);
void ghcomp_places_say_binding(const char *variable, unsigned number);

/* places_subset.c: KMP_HW_SUBSET.  False for what is not in the grammar, or leaves no processor.  */
bool ghcomp_places_parse_subset(const char *root, const char *text, const struct processor_set *allowed, struct processor_set *subset);

/* --------------------------------------------------------------- coordinates */

/* Where each processor is in the machine.  */

/* From outside to inside: the number of its socket, of its core in the socket, of its thread in the core.
   They count what is allowed only.  */
enum { COORDINATES = 3 };

struct placed_processor {
  int cpu;
  unsigned at[COORDINATES];
};

/* Those of all allowed processors, in the order of their numbers.  `root`: as for
   ghcomp_places_topology_group; `found`: room for as many as are allowed.  Returns how many.  */
unsigned ghcomp_places_coordinates(const char *root, const struct processor_set *allowed,
                                   struct placed_processor *found);

/* Sorts them by their coordinates, the `innermost` last ones first.  */
void ghcomp_places_sort(struct placed_processor *processors, unsigned count, unsigned innermost);

/* Which place of the list has the processor; the last index where none has.  */
unsigned ghcomp_places_index_of(const struct place_list *list, int cpu);

/* ------------------------------------------------------------- affinity masks */

/* A set of processors as an object of the program.  */
struct processor_set *ghcomp_affinity_mask_make(void);
void ghcomp_affinity_mask_release(struct processor_set *mask);

/* Processors that the machine has; their numbers are below.  */
int ghcomp_affinity_mask_processors(void);

/* 0, or -1 for a processor that there is not; has: 1, 0 or -1.  */
int ghcomp_affinity_mask_change(struct processor_set *mask, int processor, bool in);
int ghcomp_affinity_mask_has(const struct processor_set *mask, int processor);

/* That of the calling thread.  */
void ghcomp_affinity_mask_get(struct processor_set *mask);
bool ghcomp_affinity_mask_set(const struct processor_set *mask);

/* ----------------------------------------------------------- affinity format */

/* The affinity format: text with fields %[0][.][width]letter or %[0][.][width]{name}, and %% for a
   percent sign.  The text of a field is the same as libgomp's.  Spec: 5.2, 4.7 (the fields) and
   21.2.6.  */

/* The fields that depend on the context.  The other fields (process, host, native thread,
   processors) are those of the calling thread.  */
struct affinity_info {
  int team_num, num_teams, nesting_level, thread_num, num_threads, ancestor_tnum;
};

/* As LLVM's runtime has it: what is no field is "undefined", 0 alone before a width is part of it, and a native
   thread is the system's number.  Written once, when the environment is read.  */
extern bool ghcomp_affinity_format_like_llvm;

/* True: all fields of the format are known.  */
bool ghcomp_affinity_format_valid(const char *format);

/* Expands the format for the calling thread into buffer, which is NUL-terminated if size is not 0.
   Returns the length of the whole text, as snprintf does.  Text after a percent sign that is not a
   field is copied as it is; the first such format of the process gets a message.  */
size_t ghcomp_affinity_format(char *buffer, size_t size, const char *format,
                              const struct affinity_info *info);

#endif
