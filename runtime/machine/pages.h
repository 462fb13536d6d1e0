/* Pages of memory.  */
#ifndef GHCOMP_MACHINE_PAGES_H
#define GHCOMP_MACHINE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t ghcomp_machine_page_size(void);

/* Zeroed memory in pages of its own, which are never paged out; NULL: the system has none, or this
   process may not have more.  */
void *ghcomp_machine_map_locked(size_t size);
void ghcomp_machine_unmap(void *memory, size_t size);

/* True: the system would map this many bytes more at the moment.
   Cost: two system calls.  */
bool ghcomp_machine_would_map(uint64_t size);

/* Bytes of addresses that this process may use (ulimit -v).  False: there is no limit.  */
bool ghcomp_machine_address_limit(uint64_t *limit);

/* Bytes of the machine's memory and swap; UINT64_MAX: not known.  */
uint64_t ghcomp_machine_memory_and_swap(void);

#endif
