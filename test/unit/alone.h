/* Stand-ins for what the waiting code uses of the runtime, for tests that link parts of it.  */
#ifndef GHCOMP_TEST_ALONE_H
#define GHCOMP_TEST_ALONE_H

#include "settings/icv.h"
#include "state/thread.h"

struct settings ghcomp_settings;

#endif
