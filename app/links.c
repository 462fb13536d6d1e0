/* `ld.so --list PROGRAM` prints one line for each library that the program would load, however it
   is found: RPATH, RUNPATH, LD_LIBRARY_PATH, the cache, libraries of libraries.  */
#include "app/links.h"

#include "app/ghcomp.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool starts_with(const char *text, const char *start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

/* libgomp.so.1, libomp.so.5, libiomp5.so; in wheels libgomp-a34b3233.so.1.  */
static bool is_runtime(const char *name)
{
  return elf_names_runtime(name) || starts_with(name, "libgomp-");
}

static void note_runtime(const char *path, struct links *links)
{
  if (links->runtime[0] == '\0')
    snprintf(links->runtime, sizeof links->runtime, "%s", path);
  else if (strcmp(links->runtime, path) != 0)
    snprintf(links->other, sizeof links->other, "%s", path);
}

/* "\tNAME => PATH (0x…)", "\tPATH (0x…)" or "\tNAME => not found".  */
static void note_line(char *line, struct links *links)
{
  char *name = line + strspn(line, " \t");
  char *arrow = strstr(name, " => ");
  char *path = arrow != NULL ? arrow + 4 : name;
  char *address = strstr(path, " (0x");
  if (address != NULL)
    *address = '\0';
  if (arrow != NULL)
    *arrow = '\0';
  char *slash = strrchr(name, '/');
  const char *base = slash != NULL ? slash + 1 : name;
  if (is_runtime(base) && address != NULL)
    note_runtime(path, links);
  links->loads_libraries |= elf_names_language(base);
}

static pid_t start_linker(const char *linker, const char *program, int output)
{
  char *arguments[] = {(char *)linker, (char *)"--list", (char *)program, NULL};
  posix_spawn_file_actions_t actions;
  pid_t child;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawn(&child, linker, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : -1;
}

static void read_lines(int input, struct links *links)
{
  char line[2 * PATH_MAX];
  FILE *file = fdopen(input, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    note_line(line, links);
  }
  if (file != NULL)
    fclose(file);
  else
    close(input);
}

/* This process runs by it, so it is no program that a file brings along.  NULL: not known.  */
static const char *own_linker(void)
{
  static struct elf self;
  return elf_read("/proc/self/exe", &self) && self.kind == ELF_DYNAMIC ? self.interpreter : NULL;
}

enum links_answer links_find(const struct elf *elf, const char *file, struct links *links)
{
  int ends[2], status;
  const char *own = own_linker();
  memset(links, 0, sizeof *links);
  bool is_for_own = own != NULL && (elf->kind == ELF_LIBRARY || ghcomp_is_same_file(elf->interpreter, own));
  if (!is_for_own || !elf->is_plain || pipe2(ends, O_CLOEXEC) != 0)
    return LINKS_NOT_ASKED;
  pid_t child = start_linker(own, file, ends[1]);
  close(ends[1]);
  read_lines(ends[0], links);
  bool ok = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return ok ? LINKS_FOUND : LINKS_INCOMPLETE;
}
