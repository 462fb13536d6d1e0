/* Pages of memory.  */
#ifndef GHCOMP_MACHINE_PAGES_H
#define GHCOMP_MACHINE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t ghcomp_machine_page_size(void);

/* Zeroed memory of its own pages that stay in the machine's memory; NULL: the system has none, or does not
   let this process have more of it.  */
void *ghcomp_machine_map_locked(size_t size);
void ghcomp_machine_unmap(void *memory, size_t size);

/* Would the system map so many bytes more, as it stands?  Cost: two system calls.  */
bool ghcomp_machine_would_map(uint64_t size);

/* Bytes of addresses that this process may use (ulimit -v).  False: there is no limit.  */
bool ghcomp_machine_address_limit(uint64_t *limit);

/* Bytes of memory and swap that the machine has; UINT64_MAX: it does not tell.  */
uint64_t ghcomp_machine_memory_and_swap(void);

#endif
