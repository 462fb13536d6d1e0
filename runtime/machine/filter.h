/* Filters of system calls.  Nobody can ask what a filter refuses, and some end the process.  So a call that only saves time is
   better not made under a filter that is meant to hold the program down.  */
#ifndef GHCOMP_MACHINE_FILTER_H
#define GHCOMP_MACHINE_FILTER_H

/* FILTER_OF_SANDBOX: whoever installed it had given up further privileges first, as everybody must who has none: services, sandboxes
   and judges.  FILTER_OF_CONTAINER: a container's manager has privileges, and its usual filter lets programs compute.  */
enum filter { FILTER_NONE, FILTER_OF_CONTAINER, FILTER_OF_SANDBOX };

/* Over the calling thread; FILTER_NONE where the system does not say (no /proc).
   Cost: three system calls, some 25 microseconds.  */
enum filter ghcomp_machine_filter(void);

#endif
