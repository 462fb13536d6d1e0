/* Which processors share a core, a last-level cache, a socket or a memory node, from the kernel's
   files.  If a part of these is missing (a container may hide it), the processors count as not
   sharing.

   `root` is SYSTEM_DEVICES, or a copy of it in a test.  */
#ifndef GHCOMP_MACHINE_TOPOLOGY_H
#define GHCOMP_MACHINE_TOPOLOGY_H

#include "machine/processors.h"

#define SYSTEM_DEVICES "/sys/devices/system"

/* What processors may share.  */
enum sharing { SHARE_CORE, SHARE_CACHE, SHARE_SOCKET };

/* The processors that share it with `processor`, which is among them.  */
struct processor_set ghcomp_topology_sharers(const char *root, enum sharing what, int processor);

/* The numbers of the memory nodes, as a set.  It is empty if the kernel knows none.  */
struct processor_set ghcomp_topology_nodes(const char *root);

/* The processors of a memory node.  False: the kernel does not say.  */
bool ghcomp_topology_of_node(const char *root, int node, struct processor_set *set);

#endif
