/* A file of its own, because the models run several callers in one thread.  */
#include "base/inside.h"

_Thread_local unsigned ghcomp_inside;
