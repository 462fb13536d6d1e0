/* storey: places */
/* stderr: ^(ghcomp: affinity format .*\n)?$ */
/* The affinity format: every field, justification, and bad fields.  The expected texts are those of
   libgomp, except for bad formats, which end a program there.  */
#include "expect.h"

#include "places/places.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static const struct affinity_info info = {.team_num = 3, .num_teams = 4, .nesting_level = 1,
                                          .thread_num = 12, .num_threads = 16,
                                          .ancestor_tnum = -1};

static const char *format(const char *text)
{
  static char out[4096];
  memset(out, '#', sizeof out);
  size_t length = ghcomp_affinity_format(out, sizeof out, text, &info);
  EXPECT_NUMBER(length, strlen(out));
  EXPECT_NUMBER(ghcomp_affinity_format(NULL, 0, text, &info), length);
  return out;
}

static void check_fields(void)
{
  EXPECT_TEXT(format(""), "");
  EXPECT_TEXT(format("plain {text} 5"), "plain {text} 5");
  EXPECT_TEXT(format("%t %T %L %n %N %a"), "3 4 1 12 16 -1");
  EXPECT_TEXT(format("%{team_num}|%{num_teams}|%{nesting_level}|%{thread_num}|%{num_threads}|"
                     "%{ancestor_tnum}"), "3|4|1|12|16|-1");
  EXPECT_TEXT(format("%%%n%%"), "%12%");
  EXPECT_TEXT(format("%{thread_num}n"), "12n");
}

static void check_justification(void)
{
  EXPECT_TEXT(format("%6n|%.6n|%0.6n|%1n|%.1n|%0.1n|"), "12    |    12|000012|12|12|12|");
  EXPECT_TEXT(format("%5a|%.5a|%0.5a|%0.3a|%1a"), "-1   |   -1|-0001|-01|-1");
  EXPECT_TEXT(format("%12{thread_num}|%0.4{nesting_level}|%.3{num_teams}"),
              "12          |0001|  4");
  EXPECT_NUMBER(strlen(format("%0.100n")), 100);
  EXPECT_NUMBER(ghcomp_affinity_format(NULL, 0, "%2147483647n%2147483647n", &info), 4294967294);
}

/* Compares the fields of the calling thread with the system's answers.  */
static void check_own(void)
{
  char expected[1024], host[256];
  gethostname(host, sizeof host);
  snprintf(expected, sizeof expected, "%d|%08d", getpid(), getpid());
  EXPECT_TEXT(format("%P|%0.8{process_id}"), expected);
  snprintf(expected, sizeof expected, "0x%lx", (unsigned long)pthread_self());
  EXPECT_TEXT(format("%i"), expected);
  EXPECT_TEXT(format("%{native_thread_id}"), expected);
  snprintf(expected, sizeof expected, "0x%020lx", (unsigned long)pthread_self());
  EXPECT_TEXT(format("%0.22i"), expected);
  EXPECT_TEXT(format("%H"), host);
  snprintf(expected, sizeof expected, "%-40s|%40s|%40s", host, host, host);
  EXPECT_TEXT(format("%40H|%.40{host}|%0.40H"), expected);
}

static void check_processors(void)
{
  cpu_set_t before, one;
  char expected[64];
  sched_getaffinity(0, sizeof before, &before);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &before))
    cpu++;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
  snprintf(expected, sizeof expected, "%d|%6d|%6d|%-6d|", cpu, cpu, cpu, cpu);
  EXPECT_TEXT(format("%A|%.6A|%0.6{thread_affinity}|%6A|"), expected);
  sched_setaffinity(0, sizeof before, &before);
  if (CPU_COUNT(&before) == 2 && CPU_ISSET(cpu + 1, &before)) {
    snprintf(expected, sizeof expected, "%d-%d", cpu, cpu + 1);
    EXPECT_TEXT(format("%A"), expected);
  }
}

static void check_size(void)
{
  char out[8];
  for (size_t size = 0; size <= 7; size++) {
    memset(out, '#', sizeof out);
    EXPECT_NUMBER(ghcomp_affinity_format(out, size, "ab%0.3ncd", &info), 7);
    for (size_t i = 0; i + 1 < size; i++)
      EXPECT_NUMBER(out[i], "ab012cd"[i]);
    if (size != 0)
      EXPECT_NUMBER(out[size - 1], '\0');
    EXPECT_NUMBER(out[size], '#');
  }
}

static void check_bad(void)
{
  static const char *const bad[] = {"%", "%q", "%0", "%0n", "%06n", "%.n", "%0.n", "%.0n", "%.",
                                    "%-5n", "%5", "%5%", "%{}", "%{", "%{n}", "%{thread_num",
                                    "%{thread_num }", "%99999999999999999999n", "%2147483648n",
                                    "%2.3n", "a%"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    if (!EXPECT(!ghcomp_affinity_format_valid(bad[i])))
      printf("  '%s'\n", bad[i]);
    EXPECT_TEXT(format(bad[i]), bad[i]);
  }
  EXPECT_TEXT(format("%n %q %n"), "12 %q 12");
  EXPECT(ghcomp_affinity_format_valid("%n%%%8A%0.3{thread_num}"));
  EXPECT(ghcomp_affinity_format_valid(""));
}

int main(void)
{
  check_fields();
  check_justification();
  check_own();
  check_processors();
  check_size();
  check_bad();
  return expect_result();
}
