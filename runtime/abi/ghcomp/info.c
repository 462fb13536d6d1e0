/* The functions of include/ghcomp.h.  */
#include "include/ghcomp.h"

#include "abi/border.h"
#include "base/message.h"
#include "team/pool.h"
#include "threads/host.h"
#include "threads/substrate.h"

ENTRY_POINTS(ghcomp_info);

EXPORT const char *ghcomp_version(void)
{
  return ghcomp_version_of_project;
}

EXPORT const char *ghcomp_substrate_name(void)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  return substrate != NULL ? substrate->name : "none";
}

EXPORT const char *ghcomp_substrate_describe(void)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  return substrate != NULL ? substrate->describe() : "none: no region has needed a second thread";
}

EXPORT const char *ghcomp_substrate_reason(void)
{
  return ghcomp_choice_reason();
}

EXPORT unsigned ghcomp_capabilities(void)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  return substrate != NULL ? substrate->capabilities() : 0;
}

EXPORT int ghcomp_capability(void)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  return substrate != NULL && substrate != &ghcomp_substrate_pthread ? ghcomp_load_capability() : -1;
}

EXPORT unsigned ghcomp_workers(void)
{
  return ghcomp_pool_workers();
}
