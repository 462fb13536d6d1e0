/* The judgement on a program, from what its file says.

   A program that neither uses libgomp nor could come to use it later is refused,
   because running it under another name than its own would only look like
   success.  One that loads libraries later (python) or starts other programs (a
   shell) is run without a word.  */
#include "app/suit.h"

#include "app/elf.h"
#include "app/ghcomp.h"
#include "app/links.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Programs that start others.  They may load libraries too, but what is preloaded
   into them would be preloaded into all that they start.  */
static const char *const launchers[] = {"sh", "bash", "dash", "ksh", "mksh", "zsh", "fish",
                                        "make", "gmake", "gdb", "valgrind", "mpirun", "mpiexec",
                                        "srun", NULL};

/* Languages whose command may itself be a script that finds the right version. */
static const char *const languages[] = {"python", "perl", "ruby", "R", "Rscript", "octave", "julia",
                                        NULL};

/* Is the file's name one of the list, perhaps with a version behind it?  */
static bool is_named(const char *path, const char *const *list)
{
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  for (; *list != NULL; list++) {
    size_t length = strlen(*list);
    if (strncmp(base, *list, length) == 0 &&
        base[length + strspn(base + length, "0123456789.")] == '\0')
      return true;
  }
  return false;
}

/* ------------------------------------------------------------------------ scripts */

static char *next_word(char **rest)
{
  char *word = *rest + strspn(*rest, " \t\r\n");
  *rest = word + strcspn(word, " \t\r\n");
  if (**rest != '\0')
    *(*rest)++ = '\0';
  return *word != '\0' ? word : NULL;
}

/* "#!/usr/bin/env -S A=b python3 -u": the word that names the interpreter.  */
static char *interpreter_of_line(char *line)
{
  char *rest = line + 2;
  char *word = next_word(&rest);
  char *slash = word != NULL ? strrchr(word, '/') : NULL;
  if (slash == NULL || strcmp(slash, "/env") != 0)
    return word;
  do
    word = next_word(&rest);
  while (word != NULL && (*word == '-' || strchr(word, '=') != NULL));
  return word;
}

static bool first_line(const char *path, char *line, int size)
{
  FILE *file = fopen(path, "re");
  bool ok = file != NULL && fgets(line, size, file) != NULL && strncmp(line, "#!", 2) == 0;
  if (file != NULL)
    fclose(file);
  return ok;
}

/* A script's interpreter runs whatever it likes; it is asked only how libraries
   reach it.  */
static enum suit examine_script(const char *path, unsigned depth)
{
  char line[PATH_MAX];
  struct elf elf;
  if (is_named(path, languages))
    return SUIT_PRELOAD;
  char *word = first_line(path, line, sizeof line) ? interpreter_of_line(line) : NULL;
  char *interpreter = word != NULL ? ghcomp_find_program(word) : NULL;
  if (interpreter != NULL && is_named(interpreter, languages))
    return SUIT_PRELOAD;
  if (interpreter == NULL || is_named(interpreter, launchers) || !elf_read(interpreter, &elf))
    return SUIT_PATH;
  if (elf.kind == ELF_NOT && depth < 4)
    return examine_script(interpreter, depth + 1);
  struct links links;
  bool loads = elf.kind == ELF_DYNAMIC &&
               (elf.loads_libraries ||
                (links_find(elf.interpreter, interpreter, &links) && links.loads_libraries));
  return loads ? SUIT_PRELOAD : SUIT_PATH;
}

/* ----------------------------------------------------------------------- programs */

static void refuse_privileged(const char *path)
{
  struct stat status;
  bool set_id = stat(path, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0;
  if (set_id || getxattr(path, "security.capability", NULL, 0) > 0)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is %s: the system ignores LD_LIBRARY_PATH for it, so it would "
                "run with its own libgomp; it was not started", path,
                set_id ? "setuid or setgid" : "a file with capabilities");
}

static void refuse_by_kind(const char *path, const struct elf *elf)
{
  if (elf->kind == ELF_FOREIGN)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is for another machine or word size than this runtime; it was "
                "not started", path);
  if (elf->kind == ELF_STATIC)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is statically linked: there is no libgomp.so.1 to replace; it "
                "was not started (link it dynamically)", path);
}

static bool is_same_file(const char *one, const char *other)
{
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static enum suit examine_linked(const char *path, const struct elf *elf, const char *library)
{
  struct links links;
  if (!links_find(elf->interpreter, path, &links))
    return SUIT_PATH; /* it cannot start as it is, and will say so itself */
  if (links.gomp[0] != '\0')
    return is_same_file(links.gomp, library) ? SUIT_PATH : SUIT_PRELOAD;
  if (links.llvm)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is linked with LLVM's OpenMP runtime, whose entry points "
                "(__kmpc_*) this runtime does not have; it was not started (build it with gcc "
                "-fopenmp)", path);
  if (is_named(path, launchers))
    return SUIT_PATH;
  if (is_named(path, languages)) /* Rscript: it starts R, which puts folders of its own in front */
    return SUIT_PRELOAD;
  if (elf->loads_libraries || links.loads_libraries)
    return SUIT_PRELOAD;
  if (elf->starts_programs)
    return SUIT_PATH;
  ghcomp_fail(EXIT_UNSUITABLE, "%s does not use libgomp.so.1, nor does any of its libraries%s; it "
              "was not started", path,
              elf->has_runtime ? " (it brings an OpenMP runtime of its own)" : "");
}

enum suit suit_examine(const char *program, const char *library)
{
  struct elf elf;
  refuse_privileged(program);
  if (!elf_read(program, &elf))
    return SUIT_PATH; /* executable but not readable */
  if (elf.kind == ELF_NOT)
    return examine_script(program, 0);
  refuse_by_kind(program, &elf);
  return examine_linked(program, &elf, library);
}
