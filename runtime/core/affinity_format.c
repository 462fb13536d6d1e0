/* The affinity format: %[0][.][width]letter or %[0][.][width]{name}.  */
#include "core/affinity_format.h"

#include "base/message.h"

#include <ctype.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct out {
  char *buffer;
  size_t size, used;
};

static void put(struct out *out, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++, out->used++)
    if (out->used + 1 < out->size)
      out->buffer[out->used] = text[i];
}

static void put_repeated(struct out *out, char c, size_t times)
{
  while (times-- > 0)
    put(out, &c, 1);
}

struct field {
  bool zero, right;
  size_t width;
};

/* Left-justified; right with '.', and then filled with zeros after '0'.  */
static void put_text(struct out *out, struct field field, const char *text)
{
  size_t length = strlen(text);
  size_t fill = field.width > length ? field.width - length : 0;
  if (field.right && !field.zero)
    put_repeated(out, ' ', fill);
  put(out, text, length);
  if (!field.right)
    put_repeated(out, ' ', fill);
}

static void put_number(struct out *out, struct field field, long value)
{
  char text[32];
  if (field.zero && field.right)
    snprintf(text, sizeof text, "%0*ld", (int)(field.width < 24 ? field.width : 24), value);
  else
    snprintf(text, sizeof text, "%ld", value);
  put_text(out, field, text);
}

/* "0-3,8" */
static void affinity_text(char *text, size_t size)
{
  enum { MOST = 4096 };
  cpu_set_t *set = CPU_ALLOC(MOST);
  size_t set_size = CPU_ALLOC_SIZE(MOST), used = 0;
  text[0] = '\0';
  if (set == NULL || sched_getaffinity(0, set_size, set) != 0) {
    CPU_FREE(set);
    snprintf(text, size, "0");
    return;
  }
  for (int cpu = 0; cpu < MOST && used < size; cpu++) {
    int last = cpu;
    if (!CPU_ISSET_S(cpu, set_size, set))
      continue;
    while (last + 1 < MOST && CPU_ISSET_S(last + 1, set_size, set))
      last++;
    used += (size_t)snprintf(text + used, size - used, last > cpu ? "%s%d-%d" : "%s%d",
                             used != 0 ? "," : "", cpu, last);
    cpu = last;
  }
  CPU_FREE(set);
}

static char letter_of(const char *name, size_t length)
{
  static const struct {
    const char *name;
    char letter;
  } names[] = {{"team_num", 't'}, {"num_teams", 'T'}, {"nesting_level", 'L'}, {"thread_num", 'n'},
               {"num_threads", 'N'}, {"ancestor_tnum", 'a'}, {"host", 'H'}, {"process_id", 'P'},
               {"native_thread_id", 'i'}, {"thread_affinity", 'A'}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i].name) == length && strncmp(names[i].name, name, length) == 0)
      return names[i].letter;
  return '\0';
}

static bool put_field(struct out *out, struct field field, char letter,
                      const struct affinity_info *info)
{
  char text[4096];
  switch (letter) {
  case 't': put_number(out, field, info->team_num); return true;
  case 'T': put_number(out, field, info->num_teams); return true;
  case 'L': put_number(out, field, info->nesting_level); return true;
  case 'n': put_number(out, field, info->thread_num); return true;
  case 'N': put_number(out, field, info->num_threads); return true;
  case 'a': put_number(out, field, info->ancestor_tnum); return true;
  case 'P': put_number(out, field, (long)getpid()); return true;
  case 'i': put_number(out, field, (long)syscall(SYS_gettid)); return true;
  case 'H':
    if (gethostname(text, sizeof text) != 0)
      snprintf(text, sizeof text, "node");
    text[sizeof text - 1] = '\0';
    put_text(out, field, text);
    return true;
  case 'A':
    affinity_text(text, sizeof text);
    put_text(out, field, text);
    return true;
  default:
    return false;
  }
}

/* Everything after a '%'; returns what follows the field, or NULL.  */
static const char *expand(struct out *out, const char *p, const struct affinity_info *info)
{
  struct field field = {false, false, 0};
  if (*p == '%') {
    put(out, "%", 1);
    return p + 1;
  }
  if (*p == '0') {
    field.zero = true;
    p++;
    if (*p != '.')
      return NULL;
  }
  if (*p == '.') {
    field.right = true;
    p++;
    if (!isdigit((unsigned char)*p))
      return NULL;
  }
  if (isdigit((unsigned char)*p)) {
    char *end;
    field.width = strtoul(p, &end, 10);
    if (field.width > 65536)
      return NULL;
    p = end;
  }
  char letter = *p;
  if (letter == '{') {
    const char *close = strchr(p, '}');
    if (close == NULL)
      return NULL;
    letter = letter_of(p + 1, (size_t)(close - p - 1));
    p = close;
  }
  return put_field(out, field, letter, info) ? p + 1 : NULL;
}

size_t ghcomp_affinity_format(char *buffer, size_t size, const char *format,
                              const struct affinity_info *info)
{
  struct out out = {buffer, size, 0};
  const char *p = format;
  while (*p != '\0') {
    if (*p != '%') {
      put(&out, p++, 1);
      continue;
    }
    const char *next = expand(&out, p + 1, info);
    if (next == NULL) {
      ghcomp_message_say("affinity format '%.100s': expected a field after '%%' at '%.20s'; "
                         "the rest is not shown", format, p);
      break;
    }
    p = next;
  }
  if (size != 0)
    buffer[out.used < size ? out.used : size - 1] = '\0';
  return out.used;
}
