/* Assertions at three levels, chosen when the library is built.

   GHCOMP_CHECK=0  none (releases)
   GHCOMP_CHECK=1  cheap ones: CHECK
   GHCOMP_CHECK=2  whole-structure predicates too: CHECK_SLOW  */
#ifndef GHCOMP_BASE_CHECK_H
#define GHCOMP_BASE_CHECK_H

#ifndef GHCOMP_CHECK
#define GHCOMP_CHECK 0
#endif

#if GHCOMP_CHECK >= 1
#include "base/message.h"
#define CHECK(c) ((c) ? (void)0 : ghcomp_message_check_failed(#c, __FILE__, __LINE__))
#else
#define CHECK(c) ((void)sizeof(c))
#endif

#if GHCOMP_CHECK >= 2
#define CHECK_SLOW(c) CHECK(c)
#else
#define CHECK_SLOW(c) ((void)sizeof(c))
#endif

#endif
