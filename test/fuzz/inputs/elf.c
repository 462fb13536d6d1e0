/* Damaged ELF files for the reader behind `ghcomp info`.  A file lies in a block of its exact size, so AddressSanitizer finds
   each byte that is read behind it.
   elf SECONDS SEED FILE...: damages these files again and again; prints how many were read.  What ended the program is in
   "damaged".  elf FILE: reads that one.  */
#include "app/elf.h"

#include "damage.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* The linker puts these in place of mmap and munmap.  */
void *__wrap_mmap(void *at, size_t size, int rights, int kind, int file, off_t offset);
int __wrap_munmap(void *bytes, size_t size);

void *__wrap_mmap(void *at, size_t size, int rights, int kind, int file, off_t offset)
{
  (void)at, (void)rights, (void)kind;
  void *bytes = malloc(size);
  return bytes != NULL && pread(file, bytes, size, offset) == (ssize_t)size ? bytes : MAP_FAILED;
}

int __wrap_munmap(void *bytes, size_t size)
{
  (void)size;
  free(bytes);
  return 0;
}

static uint64_t odd_value(uint64_t size)
{
  const uint64_t some[] = {0, 1, 7, size - 1, size, size + 1, size - 8, size / 2, 0xffff, PATH_MAX, PATH_MAX + 1, INT32_MAX,
                           UINT64_C(0x80000000), UINT32_MAX, INT64_MAX, UINT64_C(0x8000000000000000), UINT64_MAX, UINT64_MAX - 7,
                           -size, next_random()};
  return some[next_random() % (sizeof some / sizeof *some)];
}

/* Where the list of needed libraries, folders and auditors is; 0 if the file does not say.  */
static size_t dynamic_at(const unsigned char *bytes, size_t size, const Elf64_Ehdr *header)
{
  for (unsigned i = 0; i < header->e_phnum; i++) {
    Elf64_Phdr segment;
    size_t at = header->e_phoff + i * sizeof segment;
    if (header->e_phoff > size || at + sizeof segment > size)
      return 0;
    memcpy(&segment, bytes + at, sizeof segment);
    if (segment.p_type == PT_DYNAMIC)
      return segment.p_offset < size ? segment.p_offset : 0;
  }
  return 0;
}

/* A place in the file's header, its segments and their names, its dynamic part, its list of sections, or anywhere.  */
static size_t place_to_damage(const unsigned char *bytes, size_t size)
{
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  size_t sections = header.e_shoff < size ? header.e_shoff : 0;
  switch (next_random() % 5) {
  case 0:
    return next_random() % sizeof header;
  case 1:
    return sizeof header + next_random() % 800;
  case 2:
    return sections + next_random() % (size - sections);
  case 3:
    return dynamic_at(bytes, size, &header) + next_random() % (8 * sizeof(Elf64_Dyn));
  default:
    return next_random() % size;
  }
}

static size_t damage(unsigned char *bytes, size_t size)
{
  for (unsigned n = 1 + next_random() % 4; n > 0 && size > sizeof(Elf64_Ehdr); n--) {
    size_t at = place_to_damage(bytes, size), width = (size_t)1 << next_random() % 4;
    uint64_t value = next_random() % 4 == 0 ? next_random() : odd_value(size);
    at &= ~(width - 1);
    if (at + width <= size)
      memcpy(bytes + at, &value, width);
    if (next_random() % 8 == 0)
      size = 1 + next_random() % size;
  }
  return size;
}

static void write_damaged(const char *from)
{
  int in = open(from, O_RDONLY), out = open("damaged", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  must(in >= 0 && out >= 0, from);
  size_t size = (size_t)lseek(in, 0, SEEK_END);
  unsigned char *bytes = malloc(size);
  must(bytes != NULL && pread(in, bytes, size, 0) == (ssize_t)size, from);
  size = damage(bytes, size);
  must(write(out, bytes, size) == (ssize_t)size, "damaged");
  free(bytes);
  close(in);
  close(out);
}

static void read_one(const char *path)
{
  struct elf elf;
  if (elf_read(path, &elf) && memchr(elf.interpreter, '\0', sizeof elf.interpreter) == NULL)
    abort(); /* its name has no end */
}

int main(int argc, char **argv)
{
  if (argc == 2) {
    read_one(argv[1]);
    return 0;
  }
  time_t end = time(NULL) + atoi(argv[1]);
  unsigned long count = 0;
  for (seed_random(argv[2]); time(NULL) < end; count++) {
    write_damaged(argv[3 + next_random() % (unsigned)(argc - 3)]);
    read_one("damaged");
  }
  printf("%lu\n", count);
  return 0;
}
