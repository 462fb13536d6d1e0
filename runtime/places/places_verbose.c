/* `verbose`: the machine, and where threads may run, in the lines of LLVM's runtime.

   The numbers behind Info are those of LLVM 19.  What LLVM's runtime says of the way in which it found out about the
   machine is left out.  */
#include "places/places.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "machine/process.h"
#include "machine/thread.h"

bool ghcomp_places_verbose;
static const char *binder; /* the variable that binds */

enum info {
  INFO_MIGRATION = 145,
  INFO_INITIAL = 155,
  INFO_AVAILABLE = 157,
  INFO_UNIFORM = 158,
  INFO_NOT_UNIFORM = 159,
  INFO_MAPS = 172,
  INFO_TOPOLOGY = 191,
  INFO_MAP = 218,
  INFO_BOUND = 254,
};

enum { SHOWN_SET = 800 };

/* As 0-3,6,8,9.  */
static const char *show_set(const struct processor_set *set, char shown[SHOWN_SET])
{
  struct text out = {shown, SHOWN_SET, 0};
  ghcomp_text_put(&out, "", 0);
  int cpu = ghcomp_processors_next(set, 0);
  while (cpu >= 0) {
    int last = cpu;
    while (last + 1 < MAX_PROCESSORS && ghcomp_processors_has(set, last + 1))
      last++;
    ghcomp_text_print(&out, "%s%d", out.length != 0 ? "," : "", cpu);
    if (last > cpu)
      ghcomp_text_print(&out, "%c%d", last > cpu + 1 ? '-' : ',', last);
    cpu = ghcomp_processors_next(set, last + 1);
  }
  return shown;
}

/* ----------------------------------------------------------------------- the machine */

enum { SOCKET, CORE, THREAD };

/* The most of each level in the one around it, and the least.  */
struct shape {
  unsigned most[COORDINATES], least[COORDINATES];
};

/* `processors` are sorted by their coordinates: a count ends where its level, or one around it, begins again.  */
static void end_counts(struct shape *shape, unsigned counts[COORDINATES], unsigned from)
{
  for (unsigned level = from; level < COORDINATES; level++) {
    if (counts[level] > shape->most[level])
      shape->most[level] = counts[level];
    if (counts[level] < shape->least[level])
      shape->least[level] = counts[level];
    counts[level] = 0;
  }
}

static struct shape shape_of(const struct placed_processor *processors, unsigned count)
{
  struct shape shape = {{0}, {MAX_PROCESSORS, MAX_PROCESSORS, MAX_PROCESSORS}};
  unsigned counts[COORDINATES] = {0};
  for (unsigned i = 0; i < count; i++) {
    unsigned changed = SOCKET;
    while (i > 0 && changed < THREAD && processors[i].at[changed] == processors[i - 1].at[changed])
      changed++;
    if (i > 0)
      end_counts(&shape, counts, changed + 1);
    for (unsigned level = changed; level < COORDINATES; level++)
      counts[level]++;
  }
  end_counts(&shape, counts, SOCKET);
  return shape;
}

static const char *plural(unsigned count)
{
  return count == 1 ? "" : "s";
}

static void say_shape(const char *variable, const struct shape *shape, unsigned cores)
{
  const unsigned *most = shape->most;
  bool uniform = true;
  for (unsigned level = 0; level < COORDINATES; level++)
    uniform = uniform && shape->least[level] == most[level];
  ghcomp_message_inform(uniform ? INFO_UNIFORM : INFO_NOT_UNIFORM, "%s: %s topology", variable,
                        uniform ? "Uniform" : "Nonuniform");
  ghcomp_message_inform(INFO_TOPOLOGY, "%s: %u socket%s x %u core%s/socket x %u thread%s/core (%u total cores)", variable,
                        most[SOCKET], plural(most[SOCKET]), most[CORE], plural(most[CORE]), most[THREAD],
                        plural(most[THREAD]), cores);
}

static void say_map(const char *variable, const struct placed_processor *processors, unsigned count)
{
  ghcomp_message_inform(INFO_MAP, "%s: OS proc to physical thread map:", variable);
  for (unsigned i = 0; i < count; i++) {
    const unsigned *at = processors[i].at;
    ghcomp_message_inform(INFO_MAPS, "%s: OS proc %d maps to socket %u core %u thread %u", variable, processors[i].cpu,
                          at[SOCKET], at[CORE], at[THREAD]);
  }
}

void ghcomp_places_say_machine(const char *root, const char *variable, const struct processor_set *allowed)
{
  char shown[SHOWN_SET];
  unsigned cores = 0, most = ghcomp_processors_count(allowed);
  struct placed_processor *processors = ghcomp_memory_get(most * sizeof *processors);
  unsigned count = ghcomp_places_coordinates(root, allowed, processors);
  ghcomp_places_sort(processors, count, 0);
  for (unsigned i = 0; i < count; i++)
    cores += processors[i].at[THREAD] == 0;
  ghcomp_message_inform(INFO_INITIAL, "%s: Initial OS proc set respected: %s", variable, show_set(allowed, shown));
  ghcomp_message_inform(INFO_AVAILABLE, "%s: %u available OS procs", variable, count);
  struct shape shape = shape_of(processors, count);
  say_shape(variable, &shape, cores);
  say_map(variable, processors, count);
  ghcomp_memory_release(processors);
}

/* ------------------------------------------------------------------------- threads */

void ghcomp_places_say_migration(const char *variable, unsigned levels)
{
  ghcomp_message_inform(INFO_MIGRATION, "%s: Threads may migrate across %u innermost levels of machine", variable, levels);
}

void ghcomp_places_say_binding(const char *variable, unsigned number)
{
  char shown[SHOWN_SET];
  struct processor_set set;
  if (ghcomp_machine_get_mask(&set))
    ghcomp_message_inform(INFO_BOUND, "%s: pid %d tid %d thread %u bound to OS proc set %s", variable,
                          ghcomp_machine_process(), ghcomp_machine_thread(), number, show_set(&set, shown));
}

void ghcomp_places_say_thread(unsigned number)
{
  ghcomp_places_say_binding(binder, number);
}

void ghcomp_places_read_verbose(const char *text, bool binds)
{
  struct kmp_modifiers modifiers = ghcomp_places_kmp_modifiers(text);
  if (!modifiers.verbose)
    return;
  struct processor_set allowed = ghcomp_places_allowed();
  ghcomp_places_verbose = true;
  binder = binds || ghcomp_places.count == 0 ? "KMP_AFFINITY" : "OMP_PROC_BIND";
  ghcomp_places_say_machine(SYSTEM_DEVICES, "KMP_AFFINITY", &allowed);
  if (binds && modifiers.levels_inside != 0)
    ghcomp_places_say_migration("KMP_AFFINITY", modifiers.levels_inside);
}
