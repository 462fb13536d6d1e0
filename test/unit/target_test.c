/* storey: target */
/* Target regions on the host: the data that the region sees, the context in which it runs, device numbers that
   are refused, and rectangular copies.  */
#include "target/target.h"
#include "expect.h"

#include "settings/icv.h"
#include "task/lineage.h"
#include "team/thread.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The compiler's kinds: the low bits say what is mapped, the bits above the logarithm of the alignment.  */
enum { MAPPED = 3, PRIVATE = 12, ATTACHED = 80 };
#define KIND(what, log2_of_alignment) (unsigned short)((what) | (log2_of_alignment) << 8)

/* ------------------------------------------------------------------------- data */

static unsigned calls;

/* The region uses the first object itself, and copies of the others.  */
static struct {
  int shared;
  char letter;
  double numbers[3];
} program;

static void writes_all(void *data)
{
  void **addresses = data;
  calls++;
  EXPECT(addresses[0] == &program.shared);
  EXPECT(addresses[1] != &program.letter && *(char *)addresses[1] == 'a');
  EXPECT(addresses[2] != program.numbers && (uintptr_t)addresses[2] % 64 == 0);
  EXPECT(addresses[3] == NULL);
  EXPECT(((double *)addresses[2])[2] == 2.5);
  *(int *)addresses[0] = 8;
  *(char *)addresses[1] = 'b';
  memset(addresses[2], 0, sizeof program.numbers);
}

static void copies_what_is_private(void)
{
  void *addresses[] = {&program.shared, &program.letter, program.numbers, NULL};
  const size_t sizes[] = {sizeof program.shared, 1, sizeof program.numbers, 0};
  const unsigned short kinds[] = {KIND(MAPPED, 2), KIND(PRIVATE, 0), KIND(PRIVATE, 6), KIND(PRIVATE, 3)};
  program.shared = 7;
  program.letter = 'a';
  program.numbers[2] = 2.5;
  struct target target = {0, writes_all, 4, addresses, sizes, kinds, 0};
  ghcomp_target_run(&target);
  EXPECT_NUMBER(calls, 1);
  EXPECT_NUMBER(program.shared, 8);
  EXPECT_NUMBER(program.letter, 'a');
  EXPECT(program.numbers[2] == 2.5);
}

/* Fortran's firstprivate allocatable: descriptor, data, attachment.  The descriptor's first word points into
   the middle of the data.  */
static struct descriptor {
  int *data;
  long length;
} array;
static int elements[4] = {1, 2, 3, 4};

static void writes_array(void *data)
{
  void **addresses = data;
  struct descriptor *copy = addresses[0];
  calls++;
  EXPECT(copy != &array && copy->length == 4);
  EXPECT(addresses[1] != elements);
  EXPECT(copy->data == (int *)addresses[1] + 1);
  EXPECT_NUMBER(copy->data[1], 3);
  copy->data[1] = 30;
}

static void attaches_to_the_copy(void)
{
  array = (struct descriptor){elements + 1, 4};
  void *addresses[3] = {&array, elements, NULL};
  const size_t sizes[] = {sizeof array, sizeof elements, 0};
  const unsigned short kinds[] = {KIND(PRIVATE, 3), KIND(PRIVATE, 2), KIND(ATTACHED, 3)};
  addresses[2] = &addresses[0]; /* the entry of the pointer */
  struct target target = {0, writes_array, 3, addresses, sizes, kinds, 0};
  ghcomp_target_run(&target);
  EXPECT_NUMBER(calls, 2);
  EXPECT_NUMBER(elements[2], 3);
  EXPECT(array.data == elements + 1);
}

/* ---------------------------------------------------------------------- context */

static void looks_around(void *data)
{
  const struct member *member = ghcomp_self()->member;
  calls++;
  EXPECT(data == NULL);
  EXPECT_NUMBER(member->team->level, 0);
  EXPECT_NUMBER(member->team->size, 1);
  EXPECT_NUMBER(member->task->icv->thread_limit, 3);
  EXPECT_NUMBER(member->task->icv->nthreads, ghcomp_settings.initial.nthreads);
}

/* The region runs in a fresh initial task, independent of the program's settings.  These are back after the
   region.  */
static void runs_in_a_fresh_context(void)
{
  struct member *before = ghcomp_self()->member;
  ghcomp_icv_scope_own(ghcomp_self())->nthreads = 5;
  struct target target = {.fn = looks_around, .thread_limit = 3};
  ghcomp_target_run(&target);
  EXPECT_NUMBER(calls, 3);
  EXPECT(ghcomp_self()->member == before);
  EXPECT_NUMBER(before->task->icv->nthreads, 5);
  EXPECT(before->task->icv->thread_limit != 3);
}

/* ---------------------------------------------------------------------- devices */

static void knows_the_host(void)
{
  EXPECT(ghcomp_target_is_host(0));
  EXPECT(ghcomp_target_is_host(DEVICE_INITIAL));
  EXPECT(!ghcomp_target_is_host(1));
  EXPECT(!ghcomp_target_is_host(DEVICE_INVALID));
}

/* The exit status of a process that runs the region on the device; *said is its message.  */
static int end_of(int device, int offload, char *said, size_t size)
{
  int ends[2], status;
  if (pipe(ends) != 0)
    abort();
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    ghcomp_settings.target_offload = offload;
    ghcomp_target_require_device(device);
    _exit(77);
  }
  close(ends[1]);
  ssize_t length = read(ends[0], said, size - 1);
  said[length > 0 ? length : 0] = '\0';
  close(ends[0]);
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
    abort();
  return WEXITSTATUS(status);
}

static void refuses_devices(void)
{
  static const struct {
    int device, offload, status;
    const char *says;
  } cases[] = {
      {0, OFFLOAD_DEFAULT, 77, ""},
      {0, OFFLOAD_MANDATORY, 77, ""},
      {5, OFFLOAD_DEFAULT, 77, ""}, /* the host is used instead */
      {-1, OFFLOAD_DEFAULT, 77, ""},
      {5, OFFLOAD_MANDATORY, 1, "OMP_TARGET_OFFLOAD is set to MANDATORY"},
      {DEVICE_INVALID, OFFLOAD_MANDATORY, 1, "OMP_TARGET_OFFLOAD is set to MANDATORY"},
      {DEVICE_INVALID, OFFLOAD_DEFAULT, 1, "omp_invalid_device"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char said[400];
    int status = end_of(cases[i].device, cases[i].offload, said, sizeof said);
    bool as_said = *cases[i].says == '\0' ? *said == '\0' : strstr(said, cases[i].says) != NULL;
    if (!EXPECT_NUMBER(status, cases[i].status) || !EXPECT(as_said))
      printf("  device %d, offload %d: '%s'\n", cases[i].device, cases[i].offload, said);
  }
}

/* ------------------------------------------------------------------- rectangles */

enum { ROWS = 4, COLUMNS = 6 };

/* Copies two rows of three from one place of a matrix to another place of a larger one.  */
static void copies_a_rectangle(void)
{
  short from[ROWS][COLUMNS], to[ROWS + 1][COLUMNS + 2];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      from[i][j] = (short)(10 * i + j + 1);
  memset(to, 0, sizeof to);
  const size_t volume[] = {2, 3}, to_at[] = {3, 4}, from_at[] = {1, 2};
  const size_t to_sizes[] = {ROWS + 1, COLUMNS + 2}, from_sizes[] = {ROWS, COLUMNS};
  struct rectangle r = {sizeof(short), 2, volume, to_at, from_at, to_sizes, from_sizes};
  EXPECT_NUMBER(ghcomp_target_copy_rectangle((char *)to, (const char *)from, &r), 0);
  for (int i = 0; i < ROWS + 1; i++)
    for (int j = 0; j < COLUMNS + 2; j++) {
      bool inside = i >= 3 && j >= 4 && j < 7;
      EXPECT_NUMBER(to[i][j], inside ? from[i - 2][j - 2] : 0);
    }
}

static void refuses_what_overflows(void)
{
  char one = 'x', other = 'y';
  const size_t huge[] = {1, SIZE_MAX / 2}, none[] = {0, 0}, sizes[] = {SIZE_MAX, SIZE_MAX / 2};
  struct rectangle line = {4, 1, huge + 1, none, none, sizes, sizes};
  struct rectangle plane = {4, 2, huge, none, none, sizes, sizes};
  EXPECT_NUMBER(ghcomp_target_copy_rectangle(&one, &other, &line), EINVAL);
  EXPECT_NUMBER(ghcomp_target_copy_rectangle(&one, &other, &plane), EINVAL);
  EXPECT_NUMBER(one, 'x');
}

int main(void)
{
  copies_what_is_private();
  attaches_to_the_copy();
  runs_in_a_fresh_context();
  knows_the_host();
  refuses_devices();
  copies_a_rectangle();
  refuses_what_overflows();
  return expect_result();
}
