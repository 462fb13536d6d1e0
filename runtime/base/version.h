/* Which version of the project this is.  */
#ifndef GHCOMP_BASE_VERSION_H
#define GHCOMP_BASE_VERSION_H

/* As "0.2.0".  */
extern const char *const ghcomp_version_of_project;

#endif
