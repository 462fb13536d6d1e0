/* Reading and expanding the affinity format.  */
#include "places/places.h"

#include "base/atomics.h"
#include "base/message.h"
#include "base/text.h"
#include "machine/process.h"
#include "machine/thread.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool ghcomp_affinity_format_like_llvm;

/* One field. width 0: none is given.  `zero` is true only if `right` is.  */
struct field {
  bool zero, right;
  size_t width;
  char letter;
};

#define UNDEFINED '?' /* LLVM's runtime has such a field */

static char letter_of(const char *name, size_t length)
{
  static const struct {
    char letter;
    const char *name;
  } names[] = {{'t', "team_num"},        {'T', "num_teams"},        {'L', "nesting_level"},
               {'n', "thread_num"},      {'N', "num_threads"},      {'a', "ancestor_tnum"},
               {'H', "host"},            {'P', "process_id"},       {'i', "native_thread_id"},
               {'A', "thread_affinity"}, {'%', NULL}};
  for (size_t i = 0; names[i].name != NULL; i++)
    if (strlen(names[i].name) == length && strncmp(names[i].name, name, length) == 0)
      return names[i].letter;
  return '\0';
}

/* Reads the width at *p, if there is one.  False: it is too large.  */
static bool read_width(const char **p, size_t *width)
{
  char *end;
  if (!isdigit((unsigned char)**p))
    return true;
  unsigned long value = strtoul(*p, &end, 10);
  *p = end;
  *width = value;
  return value <= INT_MAX;
}

static char read_letter(const char **p)
{
  const char *close;
  char letter = '\0';
  if (**p != '{') {
    letter = **p != '\0' && strchr("tTLnNaHPiA", **p) != NULL ? **p : '\0';
    ++*p;
  } else if ((close = strchr(*p, '}')) != NULL) {
    letter = letter_of(*p + 1, (size_t)(close - *p - 1));
    *p = close + 1;
  }
  return letter;
}

/* Reads the field after a percent sign.  Returns the text after the field; NULL: it is not a
   field.  */
static const char *read_field(const char *p, struct field *field)
{
  *field = (struct field){.zero = *p == '0'};
  if (*p == '%') {
    field->letter = '%';
    return p + 1;
  }
  p += field->zero;
  field->right = *p == '.';
  p += field->right;
  bool zero_alone = field->zero && !field->right;
  if (zero_alone && !ghcomp_affinity_format_like_llvm)
    return NULL;
  field->zero &= !zero_alone;
  if (!read_width(&p, &field->width) || (field->right && field->width == 0))
    return NULL;
  const char *name = p;
  field->letter = read_letter(&p);
  if (field->letter == '\0' && ghcomp_affinity_format_like_llvm && *name != '\0' && p != name)
    field->letter = UNDEFINED;
  return field->letter != '\0' ? p : NULL;
}

/* ---------------------------------------------------------------------- writing */

static size_t fill_of(const struct field *field, size_t length)
{
  return field->width > length ? field->width - length : 0;
}

static void put_text(struct text *out, const struct field *field, const char *text)
{
  size_t length = strlen(text);
  if (field->right)
    ghcomp_text_repeat(out, ' ', fill_of(field, length));
  ghcomp_text_put(out, text, length);
  if (!field->right)
    ghcomp_text_repeat(out, ' ', fill_of(field, length));
}

/* Zeros are put between the prefix (a sign, or 0x) and the digits.  */
static void put_number(struct text *out, const struct field *field, const char *prefix,
                       const char *digits)
{
  size_t prefix_length = strlen(prefix), length = prefix_length + strlen(digits);
  size_t fill = fill_of(field, length);
  if (field->right && !field->zero)
    ghcomp_text_repeat(out, ' ', fill);
  ghcomp_text_put(out, prefix, prefix_length);
  if (field->zero)
    ghcomp_text_repeat(out, '0', fill);
  ghcomp_text_put(out, digits, length - prefix_length);
  if (!field->right)
    ghcomp_text_repeat(out, ' ', fill);
}

static void put_int(struct text *out, const struct field *field, int value)
{
  char digits[16];
  struct text text = {digits, sizeof digits, 0};
  ghcomp_text_print(&text, "%u", value < 0 ? -(unsigned)value : (unsigned)value);
  put_number(out, field, value < 0 ? "-" : "", digits);
}

static void put_native_thread(struct text *out, const struct field *field)
{
  char digits[24];
  struct text text = {digits, sizeof digits, 0};
  bool number = ghcomp_affinity_format_like_llvm; /* the system's */
  ghcomp_text_print(&text, number ? "%lu" : "%lx",
                    number ? (unsigned long)ghcomp_machine_thread() : (unsigned long)ghcomp_machine_thread_handle());
  put_number(out, field, number ? "" : "0x", digits);
}

static void put_host(struct text *out, const struct field *field)
{
  char name[GHCOMP_HOST_NAME];
  ghcomp_machine_host_name(name);
  put_text(out, field, name);
}

/* "0-3,8" */
static void print_processors(struct text *out, const struct processor_set *set)
{
  const char *separator = "";
  int cpu = ghcomp_processors_next(set, 0);
  while (cpu >= 0) {
    int end = cpu + 1;
    while (end < MAX_PROCESSORS && ghcomp_processors_has(set, end))
      end++;
    ghcomp_text_print(out, end - cpu > 1 ? "%s%d-%d" : "%s%d", separator, cpu, end - 1);
    separator = ",";
    cpu = ghcomp_processors_next(set, end);
  }
}

/* The processors that the calling thread may use now.  */
static void put_processors(struct text *out, const struct field *field)
{
  struct processor_set set;
  struct text measure = {NULL, 0, 0};
  if (!ghcomp_machine_get_mask(&set))
    ghcomp_processors_add(&set, 0);
  print_processors(&measure, &set);
  size_t fill = fill_of(field, measure.length);
  if (field->right)
    ghcomp_text_repeat(out, ' ', fill);
  print_processors(out, &set);
  if (!field->right)
    ghcomp_text_repeat(out, ' ', fill);
}

static void put_field(struct text *out, const struct field *field,
                      const struct affinity_info *info)
{
  switch (field->letter) {
  case '%': ghcomp_text_put(out, "%", 1); break;
  case 't': put_int(out, field, info->team_num); break;
  case 'T': put_int(out, field, info->num_teams); break;
  case 'L': put_int(out, field, info->nesting_level); break;
  case 'n': put_int(out, field, info->thread_num); break;
  case 'N': put_int(out, field, info->num_threads); break;
  case 'a': put_int(out, field, info->ancestor_tnum); break;
  case 'P': put_int(out, field, ghcomp_machine_process()); break;
  case 'i': put_native_thread(out, field); break;
  case 'H': put_host(out, field); break;
  case 'A': put_processors(out, field); break;
  case UNDEFINED: put_text(out, field, "undefined"); break;
  }
}

static void complain(const char *format, const char *where)
{
  static _Atomic bool complained;
  if (!swap_relaxed(&complained, true))
    ghcomp_message_say("affinity format '%.200s': expected a field at '%.20s'; the text as it "
                       "stands is used", format, where);
}

bool ghcomp_affinity_format_valid(const char *format)
{
  struct field field;
  while (format != NULL && (format = strchr(format, '%')) != NULL)
    if ((format = read_field(format + 1, &field)) == NULL)
      return false;
  return true;
}

size_t ghcomp_affinity_format(char *buffer, size_t size, const char *format,
                              const struct affinity_info *info)
{
  struct text out = {buffer, size, 0};
  const char *p = format;
  ghcomp_text_put(&out, "", 0);
  while (*p != '\0') {
    struct field field;
    size_t plain = strcspn(p, "%");
    ghcomp_text_put(&out, p, plain);
    p += plain;
    if (*p == '\0')
      break;
    const char *next = read_field(p + 1, &field);
    if (next != NULL) {
      put_field(&out, &field, info);
      p = next;
    } else {
      complain(format, p);
      ghcomp_text_put(&out, p++, 1);
    }
  }
  return out.length;
}
