/* Which processors share a core, a last-level cache, a socket or a memory node, as the kernel's files
   say; what is missing there (a container may hide it) counts as not shared.

   `root` is SYSTEM_DEVICES, or a copy of it in a test.  */
#ifndef GHCOMP_MACHINE_TOPOLOGY_H
#define GHCOMP_MACHINE_TOPOLOGY_H

#include "machine/processors.h"

#define SYSTEM_DEVICES "/sys/devices/system"

/* What processors may share.  */
enum sharing { SHARE_CORE, SHARE_CACHE, SHARE_SOCKET };

/* Those that share it with the processor, itself included.  */
struct processor_set ghcomp_topology_sharers(const char *root, enum sharing what, int processor);

/* The numbers of the memory nodes (as a set); none where the kernel knows none.  */
struct processor_set ghcomp_topology_nodes(const char *root);

/* The processors of a memory node.  False: the kernel does not tell.  */
bool ghcomp_topology_of_node(const char *root, int node, struct processor_set *set);

#endif
