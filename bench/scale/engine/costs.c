/* What a machine's operations cost: "name = number" lines of the file that SCALE_TOPOLOGY names, then the
   "name=number,name=number" of SCALE_SET.  Texts in quotes are for those who read the file.  */
#include "engine.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct costs cost = {.processors = 16, .cluster = 8, .socket = 64, .near = 30, .far = 90, .remote = 200, .give_up = 1, .memory = 80,
                     .share = 8, .step = 0.6, .hit = 0.4, .locked = 5, .pause = 40, .cycles = 8, .yield = 400, .clock = 25,
                     .call = 300, .wake = 900, .wakes_after = 4000, .thread_clock = 400, .of_each = 8, .create = 20000,
                     .starts_after = 30000, .slice = 3e6, .switches = 1500, .preempts_after = 1e6, .overlap = 1, .stride = 1};
int processors;

#define FIELD(name) {#name, &cost.name}
static const struct { const char *name; double *value; } fields[] = {
  FIELD(processors), FIELD(cluster), FIELD(socket), FIELD(near), FIELD(far), FIELD(remote), FIELD(give_up), FIELD(memory), FIELD(share),
  FIELD(step), FIELD(hit), FIELD(locked), FIELD(pause), FIELD(cycles), FIELD(yield), FIELD(clock), FIELD(call), FIELD(wake),
  FIELD(wakes_after), FIELD(thread_clock), FIELD(of_each), FIELD(create), FIELD(starts_after), FIELD(slice), FIELD(switches),
  FIELD(preempts_after), FIELD(overlap), FIELD(stride), FIELD(program), FIELD(noise), FIELD(seed), FIELD(most)};

static _Noreturn void refuse(const char *text)
{
  fprintf(stderr, "scale: '%s': expected a name of a cost, '=' and a number\n", text);
  exit(2);
}

static void set(const char *text)
{
  char name[32], *end;
  int length = 0;
  if (sscanf(text, " %31[a-z_] = %n", name, &length) < 1 || length == 0)
    refuse(text);
  if (text[length] == '"')
    return;
  double value = strtod(text + length, &end);
  while (isspace((unsigned char)*end))
    end++;
  if (end == text + length || (*end != '\0' && *end != '#') || value < 0)
    refuse(text);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(fields[i].name, name) == 0) {
      *fields[i].value = value;
      return;
    }
  refuse(text);
}

static void read_file(const char *path)
{
  char line[512];
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    exit(2);
  }
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (line[strspn(line, " ")] != '\0' && line[0] != '#')
      set(line);
  }
  fclose(file);
}

void read_costs(void)
{
  const char *path = getenv("SCALE_TOPOLOGY"), *list = getenv("SCALE_SET");
  if (path != NULL)
    read_file(path);
  if (list != NULL) {
    char text[512];
    snprintf(text, sizeof text, "%s", list);
    for (char *one = strtok(text, ","); one != NULL; one = strtok(NULL, ","))
      set(one);
  }
  processors = (int)cost.processors;
  if (processors < 1 || processors > MOST || cost.cluster < 1 || cost.socket < cost.cluster || cost.overlap < 1 || cost.near <= 0 || cost.stride < 1)
    refuse("processors, cluster, socket, overlap, near, stride");
}
