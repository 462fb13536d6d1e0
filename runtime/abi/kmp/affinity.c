/* kmp_*affinity*: the processors of the calling thread, as a mask of the program's own.

   A thread that is bound to a place (OMP_PROC_BIND, KMP_AFFINITY) has another mask again when a later region
   binds it elsewhere.  */
#include "abi/kmp/kmp.h"

ENTRY_POINTS(kmp_affinity);

typedef struct processor_set *mask;

enum { NO_MASK = -1 };

EXPORT void kmp_create_affinity_mask(mask *made)
{
  *made = ghcomp_affinity_mask_make();
}

EXPORT void kmp_destroy_affinity_mask(mask *made)
{
  ghcomp_affinity_mask_release(*made);
  *made = NULL;
}

EXPORT int kmp_get_affinity_max_proc(void)
{
  return ghcomp_affinity_mask_processors();
}

/* 0, or below 0 for a processor that there is not.  */
EXPORT int kmp_set_affinity_mask_proc(int processor, mask *made)
{
  return *made != NULL ? ghcomp_affinity_mask_change(*made, processor, true) : NO_MASK;
}

EXPORT int kmp_unset_affinity_mask_proc(int processor, mask *made)
{
  return *made != NULL ? ghcomp_affinity_mask_change(*made, processor, false) : NO_MASK;
}

EXPORT int kmp_get_affinity_mask_proc(int processor, mask *made)
{
  return *made != NULL ? ghcomp_affinity_mask_has(*made, processor) : NO_MASK;
}

/* 0, or below 0 where the system refuses.  */
EXPORT int kmp_set_affinity(mask *made)
{
  return *made != NULL && ghcomp_affinity_mask_set(*made) ? 0 : NO_MASK;
}

EXPORT int kmp_get_affinity(mask *made)
{
  if (*made == NULL)
    return NO_MASK;
  ghcomp_affinity_mask_get(*made);
  return 0;
}

/* ------------------------------------------------- Fortran, and older names for C */

EXPORT void kmp_create_affinity_mask_(mask *made)
{
  kmp_create_affinity_mask(made);
}

EXPORT void kmp_destroy_affinity_mask_(mask *made)
{
  kmp_destroy_affinity_mask(made);
}

EXPORT int32_t kmp_get_affinity_max_proc_(void)
{
  return kmp_get_affinity_max_proc();
}

EXPORT int32_t kmp_set_affinity_(mask *made)
{
  return kmp_set_affinity(made);
}

EXPORT int32_t kmp_get_affinity_(mask *made)
{
  return kmp_get_affinity(made);
}

#define OF_PROCESSOR(name)                                                             \
  EXPORT int32_t kmp_##name##_(const int32_t *processor, mask *made)                   \
  {                                                                                    \
    return kmp_##name(*processor, made);                                               \
  }                                                                                    \
  EXPORT int kmpc_##name(int processor, mask *made)                                    \
  {                                                                                    \
    return kmp_##name(processor, made);                                                \
  }
OF_PROCESSOR(set_affinity_mask_proc)
OF_PROCESSOR(unset_affinity_mask_proc)
OF_PROCESSOR(get_affinity_mask_proc)
