/* The version field of ghc-openmp.cabal: make passes it as a macro, and Cabal writes it into a
   header.  */
#include "base/message.h"

#ifndef GHCOMP_VERSION
#include "cabal_macros.h"
#define GHCOMP_VERSION CURRENT_PACKAGE_VERSION
#endif

const char *const ghcomp_version_of_project = GHCOMP_VERSION;
