/* storey: settings */
/* Hostile environments.  A child of its own reads each case.  It must end normally, and a value
   that cannot be used gets exactly one message, which names the variable, the value, and what is
   used instead.  The cases are the same in every run.  */
#include "env_child.h"
#include "expect.h"

#include "base/text.h"

enum { LONG_VALUE = 100000, RANDOM_CASES = 20 };

static struct child child;
static unsigned cases;

/* Values that are bad for each variable below.  */
static const char *const bad_for_all[] = {
    "", " ", "\t\n\v", "banana", "-1", "-", "+", "+-1", "--1", "0x10", "1e3", "1.5", "1 x",
    "1;2", ",", ",1", "1,", "1,,2", "99999999999999999999999999", "-99999999999999999999",
    "truefalse", "true false", "yes", "on", "2false", "%s%s%n%n", "%", "\033[31mred", "1\n2",
    "\xff\xfe\x80", "\xd9\xa3", "=", "=1", "'1'", "\"true\"", "$(reboot)", "`id`", "{", "}", "{}",
    "{0", "0}", "{{0}}", "(", "()", "threads(", "threads(0)", "threads(-1)", "cores)", "!",
    "!{0}", "{!0}", "{0}:0", "{0}:2:", "{0}::", "{0:4:-1}", "{99999}", "{0}:99999", "0-", "1-0",
    "0-1:0", ":", "static:", ":static", "monotonic", "monotonic:", "static,", "static,-1",
    "static,1,1", "static,99999999999", "monotonic:monotonic:static", "omp_default_mem_space:",
    "omp_default_mem_space:alignment", "omp_default_mem_space:alignment=",
    "omp_default_mem_space:alignment=banana", "omp_default_mem_space:alignment=3",
    "omp_default_mem_space:pinned=1,", "omp_null_allocator", "1K1", "1KB", "K", "1P",
    "18446744073709551615K", "false,true", "close,false", "close,,spread",
    "infinite1", "infinit", "NULL", "nan", "\x7f",
};

static const char *const targets[] = {
    "OMP_DYNAMIC", "OMP_NESTED", "OMP_NUM_THREADS", "OMP_SCHEDULE", "OMP_PROC_BIND", "OMP_PLACES",
    "OMP_STACKSIZE", "OMP_WAIT_POLICY", "OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS",
    "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_CANCELLATION", "OMP_DEFAULT_DEVICE",
    "OMP_MAX_TASK_PRIORITY", "OMP_DISPLAY_AFFINITY", "OMP_ALLOCATOR", "OMP_TARGET_OFFLOAD",
    "OMP_DISPLAY_ENV", "GOMP_CPU_AFFINITY", "GOMP_STACKSIZE", "GOMP_SPINCOUNT", "GOMP_DEBUG",
    "OMP_NUM_THREADS_ALL", "OMP_SCHEDULE_DEV", "OMP_STACKSIZE_DEV_0",
    "OMP_PROC_BIND_DEV_2147483647",
};

static const char *const bad_formats[] = {
    "%", "%q", "%0", "%0n", "%06n", "%.n", "%0.n", "%.", "%-5n", "%5", "%5%", "%{}", "%{", "%{n}",
    "%{thread_num", "%{thread_num }", "%99999999999999999999n", "%2147483648n", "%n%", "%s", "%n%s",
};

/* Forms of names that do not exist, with good values.  */
static const char *const bad_names[] = {
    "OMP_NUM_THREADS_DEV_", "OMP_NUM_THREADS_DEV_x", "OMP_NUM_THREADS_DEV_01",
    "OMP_NUM_THREADS_DEV_-1", "OMP_NUM_THREADS_DEV_+1", "OMP_NUM_THREADS_DEV_ 1",
    "OMP_NUM_THREADS_DEV_1 ", "OMP_NUM_THREADS_DEV_2147483648",
    "OMP_NUM_THREADS_DEV_99999999999999999999999", "OMP_NUM_THREADS_DEV_1\n2",
    "OMP_MAX_TASK_PRIORITY_ALL", "OMP_PLACES_DEV", "OMP_ALLOCATOR_DEV_1",
};

/* A message begins with "ghcomp: NAME=VALUE", as far as these can be shown.  Or they follow a
   sentence that says where the value is wrong.  */
static bool names(const char *message, const char *name, const char *value)
{
  char shown_name[GHCOMP_SHOWN_VALUE], shown_value[GHCOMP_SHOWN_VALUE], expected[600];
  static const char prefix[] = "ghcomp: ";
  ghcomp_parse_printable(name, shown_name);
  ghcomp_parse_printable(value, shown_value);
  snprintf(expected, sizeof expected, "%s=%s: expected ", shown_name, shown_value);
  const char *found = strstr(message, expected);
  return strncmp(message, prefix, strlen(prefix)) == 0 && found != NULL &&
         (found == message + strlen(prefix) || strncmp(found - 2, "; ", 2) == 0);
}

static void read_case(const char *name, const char *value)
{
  static char entry[LONG_VALUE + 100];
  snprintf(entry, sizeof entry, "%s=%s", name, value);
  child_read(&child, (char *[]){entry, NULL}, NULL);
  cases++;
}

static void check_bad(const char *name, const char *value)
{
  char shown[GHCOMP_SHOWN_VALUE];
  read_case(name, value);
  const char *newline = strchr(child.output, '\n');
  bool good = EXPECT_NUMBER(child.status, 0);
  good &= EXPECT(names(child.output, name, value));
  good &= EXPECT(newline != NULL && newline[1] == '\0');
  good &= EXPECT(strstr(child.output, " used\n") != NULL);
  if (!good)
    printf("  %s=%s gave: %s\n", name, ghcomp_parse_printable(value, shown), child.output);
}

/* OMP_DEBUG and others accept any text; a format accepts any text without a bad field.  */
static void check_silent(const char *name, const char *value)
{
  read_case(name, value);
  EXPECT_NUMBER(child.status, 0);
  if (!EXPECT_TEXT(child.output, ""))
    printf("  %s\n", name);
}

/* --------------------------------------------------------------------- generators */

static unsigned long random_state = 1;

static unsigned next_random(void)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(random_state >> 33);
}

/* Any bytes but NUL; '?' is in no variable's syntax.  */
static void random_value(char *value, unsigned size)
{
  unsigned length = 1 + next_random() % (size - 2);
  for (unsigned i = 0; i < length; i++)
    value[i] = (char)(1 + next_random() % 255);
  value[next_random() % length] = '?';
  value[length] = '\0';
}

/* A good value, followed by more text.  */
static void long_value(char *value, const char *element)
{
  size_t step = strlen(element), i;
  for (i = 0; i + step + 2 < LONG_VALUE; i += step)
    memcpy(value + i, element, step);
  strcpy(value + i, "?");
}

static void check_target(const char *name)
{
  static char value[LONG_VALUE];
  static const char *const elements[] = {"A", "1,", "{0},", "close,", " ", "9", "!", "%s"};
  for (size_t i = 0; i < sizeof bad_for_all / sizeof bad_for_all[0]; i++)
    check_bad(name, bad_for_all[i]);
  for (unsigned i = 0; i < RANDOM_CASES; i++) {
    random_value(value, i < RANDOM_CASES / 2 ? 24 : 2000);
    check_bad(name, value);
  }
  for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
    long_value(value, elements[i]);
    check_bad(name, value);
  }
}

/* All bad variables at once: each gets a message, and the process continues.  */
static void check_all_together(void)
{
  static char entries[64][64];
  char *pointers[65];
  size_t count = sizeof targets / sizeof targets[0], lines = 0;
  for (size_t i = 0; i < count; i++) {
    snprintf(entries[i], sizeof entries[i], "%s=?", targets[i]);
    pointers[i] = entries[i];
  }
  pointers[count] = NULL;
  child_read(&child, pointers, NULL);
  for (const char *p = child.output; *p != '\0'; p++)
    lines += *p == '\n';
  EXPECT_NUMBER(child.status, 0);
  EXPECT_NUMBER(lines, count);
}

/* As many variables as an environment may hold, each name twice.  */
static void check_crowd(void)
{
  enum { CROWD = 20000 };
  static char entries[CROWD][32];
  static char *pointers[CROWD + 1];
  for (unsigned i = 0; i < CROWD; i++) {
    snprintf(entries[i], sizeof entries[i], "OMP_DYNAMIC_DEV_%u=true", i / 2);
    pointers[i] = entries[i];
  }
  child_read(&child, pointers, NULL);
  EXPECT_NUMBER(child.status, 0);
  EXPECT_TEXT(child.output, "");
}

int main(void)
{
  for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
    check_target(targets[i]);
  for (size_t i = 0; i < sizeof bad_formats / sizeof bad_formats[0]; i++)
    check_bad("OMP_AFFINITY_FORMAT", bad_formats[i]);
  for (size_t i = 0; i < sizeof bad_names / sizeof bad_names[0]; i++)
    check_bad(bad_names[i], "1");
  check_silent("OMP_TOOL_LIBRARIES", "banana");
  check_silent("OMP_DEBUG", "\xff\n");
  check_silent("OMP_AFFINITY_FORMAT", "\xff\033[0m %n %% }{");
  check_silent("OMP_WHATEVER", "%s%s");
  check_all_together();
  check_crowd();
  EXPECT(cases > 300);
  return expect_result();
}
