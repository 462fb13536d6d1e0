/* KMP_HIDDEN_HELPER_AFFINITY: the processors on which tasks for a device are executed.

   LLVM's library has threads for such tasks, its hidden helpers, and binds them.  Here any thread executes the task,
   under a helper's number (team/helper_number.h).  Meanwhile it is bound where that helper would be.  */
#include "places/places.h"

#include "base/atomics.h"
#include "base/message.h"
#include "base/text.h"

#define NAME "KMP_HIDDEN_HELPER_AFFINITY"

bool ghcomp_places_for_helpers;
static struct place_list places; /* written when the environment is read */
static bool verbose;

bool ghcomp_places_read_helpers(const char *text)
{
  struct processor_set allowed = ghcomp_places_allowed();
  struct kmp_modifiers modifiers = {0};
  int bind = ghcomp_places_parse_kmp(SYSTEM_DEVICES, text, &allowed, &places, &modifiers);
  if (bind < 0)
    return false;
  bool bound = bind != BIND_FALSE && ghcomp_places_restrict(NAME, text, &places, "no binding");
  verbose = modifiers.verbose;
  ghcomp_places_for_helpers = bound || verbose;
  if (verbose && bound && modifiers.levels_inside != 0)
    ghcomp_places_say_migration(NAME, modifiers.levels_inside);
  return true;
}

/* Each helper once, as LLVM's library does when it starts it.  */
static void say_once(unsigned n, unsigned number)
{
  static _Atomic unsigned char said[MOST_HELPERS];
  if (load_relaxed(&said[n]) == 0 && swap_relaxed(&said[n], 1) == 0)
    ghcomp_places_say_binding(NAME, number);
}

bool ghcomp_places_enter_helper(unsigned n, unsigned number, struct processor_set *before)
{
  bool bound = places.count != 0 && ghcomp_machine_get_mask(before) &&
               ghcomp_machine_set_mask(&places.places[n % places.count]);
  if (verbose)
    say_once(n, number);
  return bound;
}

void ghcomp_places_leave_helper(const struct processor_set *before)
{
  ghcomp_machine_set_mask(before);
}
