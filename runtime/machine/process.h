/* This process: its number and environment, what runs in its forked children, standard error until
   the end, and memory that may be unmapped.  */
#ifndef GHCOMP_MACHINE_PROCESS_H
#define GHCOMP_MACHINE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its number in the system.  */
int ghcomp_machine_process(void);

/* The machine's name in the network, cut off if it is too long; "node" if the system does not
   say.  */
enum { GHCOMP_HOST_NAME = 256 };
void ghcomp_machine_host_name(char name[GHCOMP_HOST_NAME]);

/* The texts "NAME=VALUE", followed by NULL; or NULL: there are none.  */
char **ghcomp_machine_environment(void);

/* From now on each forked child calls `run`.  The child has only the calling thread, so `run` must
   be async-signal-safe.  */
void ghcomp_machine_in_forked_child(void (*run)(void));

/* True: this program is not executed by the processor but by another program, such as valgrind or qemu-user.  `by`: that
   program's file, without folders.
   Cost: six system calls.  */
enum { GHCOMP_EMULATOR = 64 };
bool ghcomp_machine_is_emulated(char by[GHCOMP_EMULATOR]);

/* The beginning of a file, and a null byte.  Returns how many bytes were read.  */
size_t ghcomp_machine_read_file(const char *path, char *text, size_t size);

/* The first line of a file, or false.  */
bool ghcomp_machine_read_line(const char *path, char *line, size_t size);

/* How many of `count` structures have a word other than 0 at this offset.  `structures` is an array
   of their addresses.  The system reads both, so memory that is unmapped, even at this moment,
   counts as 0.
   Cost: two system calls.  */
unsigned ghcomp_machine_count_set(const void *structures, unsigned count, size_t offset);

/* ------------------------------------------------------------------ other runtimes */

/* A file's name, or the path to it, is one of LLVM's or Intel's runtime: libomp.so.5, libomp-0123abcd.so.5 (in a
   wheel), libiomp5.so.  */
bool ghcomp_machine_names_llvm(const char *name);

/* Does a library of this process, or the program, ask for LLVM's or Intel's OpenMP runtime, and none for GCC's?
   Cost: some 100 ns for each library.  */
enum llvm_need { LLVM_NOT_NEEDED, LLVM_NEEDED, LLVM_NEEDED_ALONE };
enum llvm_need ghcomp_machine_needs_llvm(void);

/* One of these, not this library, is in the process and has begun to work; its file.  False in secure execution.  */
bool ghcomp_machine_finds_llvm(char *path, size_t size);

/* ------------------------------------------------------------------ standard error */

/* Writes all bytes to standard error, in one write unless a signal cuts that off.  Neither
   allocates nor locks.  */
void ghcomp_machine_write_error(const char *bytes, size_t size);

/* Puts '?' in place of characters that would act on a terminal, or begin a new line in a log.  */
void ghcomp_machine_make_printable(char *text, size_t length);

/* A descriptor of standard error that stays open when the program closes its own.

   Many programs, such as GNU's, close standard error as their last action, and the runtime prints
   its table after that.  The descriptor has a number that programs do not expect to be theirs, and
   programs that this one starts do not inherit it.  */

/* Called by: the library's constructor, and only if something will be printed.  */
void ghcomp_machine_keep_error_open(void);

/* Standard error; if the program has closed it, the runtime's own descriptor; -1: neither is
   open.  */
int ghcomp_machine_error_descriptor(void);

/* --------------------------------------------------------------------- pages */

size_t ghcomp_machine_page_size(void);

/* Zeroed memory in pages of its own; NULL: there is none.  Async-signal-safe.  */
void *ghcomp_machine_map(size_t size);

/* The same, which is never paged out; NULL: the system has none, or this
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
