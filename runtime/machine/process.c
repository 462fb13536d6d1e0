/* This process.  */
#include "machine/process.h"

#include "machine/disturbance.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <unistd.h>

int ghcomp_machine_process(void)
{
  return (int)getpid();
}

void ghcomp_machine_host_name(char name[GHCOMP_HOST_NAME])
{
  if (gethostname(name, GHCOMP_HOST_NAME) != 0)
    strcpy(name, "node");
  name[GHCOMP_HOST_NAME - 1] = '\0';
}

char **ghcomp_machine_environment(void)
{
  return environ;
}

void ghcomp_machine_in_forked_child(void (*run)(void))
{
  pthread_atfork(NULL, NULL, run);
}

/* Valgrind and emulators give the program its own file for /proc/self/exe, as programs expect.  The second name is
   seldom used, so they leave it to the system, which gives the file that the processor executes.  */
static bool file_of(const char *name, struct stat *status)
{
  int cancellation = ghcomp_machine_hold_cancellation(), file = open(name, O_RDONLY | O_CLOEXEC);
  bool ok = file >= 0 && fstat(file, status) == 0;
  if (file >= 0)
    close(file);
  ghcomp_machine_let_cancellation(cancellation);
  return ok;
}

#define EXECUTED "/proc/thread-self/exe"

bool ghcomp_machine_is_emulated(char by[GHCOMP_EMULATOR])
{
  struct stat seen, executed;
  char path[512];
  if (!file_of("/proc/self/exe", &seen) || !file_of(EXECUTED, &executed) ||
      (seen.st_dev == executed.st_dev && seen.st_ino == executed.st_ino))
    return false;
  ssize_t length = readlink(EXECUTED, path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  const char *slash = strrchr(path, '/');
  snprintf(by, GHCOMP_EMULATOR, "%.*s", GHCOMP_EMULATOR - 1, slash != NULL ? slash + 1 : "an emulator");
  return true;
}

/* Returns how many bytes were read.  */
static size_t read_all(int file, char *bytes, size_t size)
{
  size_t length = 0;
  for (ssize_t more; length < size; length += (size_t)more) {
    more = read(file, bytes + length, size - length);
    if (more < 0 && errno == EINTR)
      more = 0;
    else if (more <= 0)
      break;
  }
  return length;
}

/* Not by stdio, which allocates: the caller may hold a lock, and be interrupted by a handler that allocates.  */
size_t ghcomp_machine_read_file(const char *path, char *text, size_t size)
{
  int saved = errno, cancellation = ghcomp_machine_hold_cancellation();
  int file = open(path, O_RDONLY | O_CLOEXEC);
  size_t length = file >= 0 ? read_all(file, text, size - 1) : 0;
  if (file >= 0)
    close(file);
  ghcomp_machine_let_cancellation(cancellation);
  errno = saved;
  text[length] = '\0';
  return length;
}

bool ghcomp_machine_read_line(const char *path, char *line, size_t size)
{
  size_t length = ghcomp_machine_read_file(path, line, size);
  line[strcspn(line, "\n") + (strchr(line, '\n') != NULL)] = '\0';
  return length != 0;
}

/* ------------------------------------------------------------ memory that may be gone */

/* Reads words from other places of this process.  Returns how many whole words were read.  */
static unsigned read_words(uintptr_t *words, const struct iovec *from, unsigned parts)
{
  size_t size = 0;
  for (unsigned i = 0; i < parts; i++)
    size += from[i].iov_len;
  struct iovec to = {words, size};
  ssize_t got = process_vm_readv(getpid(), &to, 1, from, parts, 0);
  return got > 0 ? (unsigned)((size_t)got / sizeof *words) : 0;
}

enum { AT_A_TIME = 16 };

static unsigned count_some(const uintptr_t *structures, unsigned count, size_t offset)
{
  uintptr_t addresses[AT_A_TIME], words[AT_A_TIME];
  struct iovec array = {(void *)(uintptr_t)structures, count * sizeof *structures}, each[AT_A_TIME];
  count = read_words(addresses, &array, 1);
  for (unsigned i = 0; i < count; i++)
    each[i] = (struct iovec){(void *)(addresses[i] + offset), sizeof *words};
  count = count != 0 ? read_words(words, each, count) : 0;
  unsigned set = 0;
  for (unsigned i = 0; i < count; i++)
    set += words[i] != 0;
  return set;
}

unsigned ghcomp_machine_count_set(const void *structures, unsigned count, size_t offset)
{
  unsigned set = 0;
  for (unsigned first = 0; first < count; first += AT_A_TIME) {
    unsigned some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
    set += count_some((const uintptr_t *)structures + first, some, offset);
  }
  return set;
}

/* ------------------------------------------------------------------ standard error */

void ghcomp_machine_write_error(const char *bytes, size_t size)
{
  int cancellation = ghcomp_machine_hold_cancellation();
  while (size > 0) {
    ssize_t written = write(STDERR_FILENO, bytes, size);
    if (written > 0) {
      bytes += written;
      size -= (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      break; /* there is no way left to report it */
    }
  }
  ghcomp_machine_let_cancellation(cancellation);
}

/* In UTF-8 U+0080 to U+009F, which are control characters too, are the bytes c2 80 to c2 9f.  */
void ghcomp_machine_make_printable(char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    bool begins_control = c == 0xc2 && i + 1 < length && ((unsigned char)text[i + 1] & 0xe0) == 0x80;
    if (begins_control)
      text[i++] = '?';
    if (c < ' ' || c == 127 || begins_control)
      text[i] = '?';
  }
}

enum { LEAST_NUMBER = 200 };

static int own_error = -1;
static struct stat error_at_start;

void ghcomp_machine_keep_error_open(void)
{
  if (fstat(STDERR_FILENO, &error_at_start) == 0)
    own_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, LEAST_NUMBER);
}

/* The program may have closed this descriptor, too, and opened a file that got its number.  */
int ghcomp_machine_error_descriptor(void)
{
  struct stat now;
  if (fcntl(STDERR_FILENO, F_GETFD) >= 0)
    return STDERR_FILENO;
  bool is_ours = own_error >= 0 && fstat(own_error, &now) == 0 && now.st_dev == error_at_start.st_dev &&
                 now.st_ino == error_at_start.st_ino;
  return is_ours ? own_error : -1;
}

/* --------------------------------------------------------------------- pages */

/* Pages of memory.  */

size_t ghcomp_machine_page_size(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

void *ghcomp_machine_map(size_t size)
{
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

void *ghcomp_machine_map_locked(size_t size)
{
  void *memory = ghcomp_machine_map(size);
  if (memory == NULL || mlock(memory, size) == 0)
    return memory;
  munmap(memory, size);
  return NULL;
}

void ghcomp_machine_unmap(void *memory, size_t size)
{
  munmap(memory, size);
}

bool ghcomp_machine_would_map(uint64_t size)
{
  void *memory = ghcomp_machine_map(size);
  if (memory != NULL)
    munmap(memory, size);
  return memory != NULL;
}

bool ghcomp_machine_address_limit(uint64_t *limit)
{
  struct rlimit set;
  if (getrlimit(RLIMIT_AS, &set) != 0 || set.rlim_cur == RLIM_INFINITY)
    return false;
  *limit = set.rlim_cur;
  return true;
}

uint64_t ghcomp_machine_memory_and_swap(void)
{
  struct sysinfo machine;
  uint64_t bytes;
  if (sysinfo(&machine) != 0 ||
      __builtin_mul_overflow((uint64_t)machine.totalram + machine.totalswap, machine.mem_unit, &bytes))
    return UINT64_MAX;
  return bytes;
}
