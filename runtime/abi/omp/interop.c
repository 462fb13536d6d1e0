/* Interoperability objects: without a device there is nothing to interoperate
   with, so every object is omp_interop_none.  Spec: 5.2, 14.1, 18.12.  */
#include "abi/omp/interop_types.h"
#include "task/task_wait.h"

ENTRY_POINTS(omp_interop);

enum { RC_EMPTY = -1, RC_OUT_OF_RANGE = -2 };
enum { FIRST_PROPERTY = -9, LAST_PROPERTY = -1 };

static bool is_property(int property)
{
  return property >= FIRST_PROPERTY && property <= LAST_PROPERTY;
}

static void report(interop_property property, interop_code *code)
{
  if (code != NULL)
    *code = (interop_code)(is_property(property) ? RC_EMPTY : RC_OUT_OF_RANGE);
}

EXPORT int omp_get_num_interop_properties(interop_object object)
{
  (void)object;
  return 0;
}

EXPORT intptr_t omp_get_interop_int(interop_object object, interop_property property, interop_code *code)
{
  (void)object;
  report(property, code);
  return 0;
}

EXPORT void *omp_get_interop_ptr(interop_object object, interop_property property, interop_code *code)
{
  (void)object;
  report(property, code);
  return NULL;
}

EXPORT const char *omp_get_interop_str(interop_object object, interop_property property, interop_code *code)
{
  (void)object;
  report(property, code);
  return NULL;
}

EXPORT const char *omp_get_interop_name(interop_object object, interop_property property)
{
  static const char *const names[] = {"fr_id", "fr_name", "vendor", "vendor_name", "device_num",
                                      "platform", "device", "device_context", "targetsync"};
  (void)object;
  return is_property(property) ? names[-property - 1] : NULL;
}

EXPORT const char *omp_get_interop_type_desc(interop_object object, interop_property property)
{
  (void)object, (void)property;
  return NULL;
}

EXPORT const char *omp_get_interop_rc_desc(interop_object object, interop_code code)
{
  (void)object;
  switch ((int)code) {
  case 1: return "no meaningful value available";
  case 0: return "successful";
  case RC_EMPTY: return "provided interoperability object is equal to omp_interop_none";
  case RC_OUT_OF_RANGE: return "property ID is out of range";
  case -3: return "property type is integer; use omp_get_interop_int";
  case -4: return "property type is pointer; use omp_get_interop_ptr";
  case -5: return "property type is string; use omp_get_interop_str";
  default: return NULL;
  }
}

/* For Fortran; LLVM's runtime has them, libgomp has not.  */
EXPORT int32_t omp_get_num_interop_properties_(const interop_object *object)
{
  return omp_get_num_interop_properties(*object);
}

EXPORT intptr_t omp_get_interop_int_(const interop_object *object, const int32_t *property, interop_code *code)
{
  return omp_get_interop_int(*object, (interop_property)*property, code);
}

EXPORT void *omp_get_interop_ptr_(const interop_object *object, const int32_t *property, interop_code *code)
{
  return omp_get_interop_ptr(*object, (interop_property)*property, code);
}

EXPORT void GOMP_interop(int device, int n_init, uintptr_t **init, const void *sync,
                         const void *prefer, int n_use, uintptr_t **use, int n_destroy,
                         uintptr_t **destroy, unsigned flags, void **depend)
{
  (void)device, (void)sync, (void)prefer, (void)n_use, (void)use, (void)flags;
  if (depend != NULL)
    ghcomp_task_wait_depend(ghcomp_self(), depend);
  for (int i = 0; i < n_init; i++)
    *init[i] = 0;
  for (int i = 0; i < n_destroy; i++)
    *destroy[i] = 0;
}
