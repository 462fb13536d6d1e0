/* Reading the environment before anybody asks what it says.  */
#ifndef GHCOMP_TEAM_START_H
#define GHCOMP_TEAM_START_H

/* The first call reads it; the others wait until it is read.  Called when the
   library is loaded, when a thread meets the runtime, and by each query of
   ghcomp_settings or ghcomp_places that needs no thread: an initialiser of another
   library, or of the executable that the runtime is linked into, may come before
   the constructor.  */
void ghcomp_start_once(void);

#endif
