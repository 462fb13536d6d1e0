/* Whether regions take no turns because Haskell threads compute, and many regions want to run at one time.

   A region that has its turn has no processor for itself then: it waits for time slices as often as regions without turns
   do, and with it all that wait for their turns.  A web service's regions meet now and then only; they take turns.  */
#include "admission/queue.h"

#include "base/atomics.h"
#include "base/memory.h"
#include "threads/substrate.h"

/* A score of the last regions that took a turn, of all masters together.  Each one that met another region beside Haskell
   threads counts MET times for sharing, each other one once against it.  Regions share the processors from SHARE_FROM on, and
   take turns again at 0.  Relaxed: an update may be lost.  */
enum { MET = 4, SHARE_FROM = 32, SCORE_MOST = 64 };
static _Atomic unsigned meetings;
static _Atomic bool shares;

void ghcomp_admission_sharing_learn(bool met_others)
{
  unsigned now = load_relaxed(&meetings);
  if (met_others && ghcomp_substrate_host_busy() != 0)
    now = now + MET < SCORE_MOST ? now + MET : SCORE_MOST;
  else
    now -= now != 0;
  store_relaxed(&meetings, now);
  if (now >= SHARE_FROM)
    store_relaxed(&shares, true);
  else if (now == 0)
    store_relaxed(&shares, false);
}

bool ghcomp_admission_sharing_is_on(void)
{
  return unlikely(load_relaxed(&shares)) && ghcomp_substrate_host_busy() != 0;
}

void ghcomp_admission_sharing_forget(void)
{
  store_relaxed(&meetings, 0);
  store_relaxed(&shares, false);
}
