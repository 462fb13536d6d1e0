/* What the waiting code wants of the runtime, for tests that link parts of it.  */
#ifndef GHCOMP_TEST_ALONE_H
#define GHCOMP_TEST_ALONE_H

#include "core/icv.h"
#include "core/types.h"

struct settings ghcomp_settings;
_Thread_local struct thread *ghcomp_self_pointer;

#endif
