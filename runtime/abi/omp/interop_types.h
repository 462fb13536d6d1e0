/* The types of interoperability routines. omp.h has them from GCC 15 on; with an older compiler a
   caller has declared them itself.  */
#ifndef GHCOMP_ABI_INTEROP_TYPES_H
#define GHCOMP_ABI_INTEROP_TYPES_H

#include "abi/border.h"

#if __GNUC__ >= 15
typedef omp_interop_t interop_object;
typedef omp_interop_property_t interop_property;
typedef omp_interop_rc_t interop_code;
#else
typedef uintptr_t interop_object;
typedef int interop_property;
typedef int interop_code;
extern const char *omp_get_interop_str(interop_object, interop_property, interop_code *);
extern const char *omp_get_interop_name(interop_object, interop_property);
extern const char *omp_get_interop_type_desc(interop_object, interop_property);
extern const char *omp_get_interop_rc_desc(interop_object, interop_code);
extern const char *omp_get_uid_from_device(int);
extern int omp_get_device_from_uid(const char *);
#endif

#endif
