/* Whether the runtime can serve a program, from the program's file.

   A program that does not use an OpenMP runtime, and cannot use one later, is not suitable: if it ran all the
   same, the user would take that for success.  A program that loads libraries later (python) or
   starts other programs (a shell) is suitable.  */
#include "app/suit.h"

#include "app/elf.h"
#include "app/ghcomp.h"
#include "app/links.h"
#include "machine/process.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Programs that start other programs.  They may load libraries, too, but a library that is
   preloaded into them is preloaded into all programs that they start.  */
static const char *const launchers[] = {"sh", "bash", "dash", "ksh", "mksh", "zsh", "fish",
                                        "make", "gmake", "gdb", "valgrind", "mpirun", "mpiexec",
                                        "srun", NULL};

/* Languages whose command may itself be a script that finds the right version. */
static const char *const languages[] = {"python", "perl", "ruby", "R", "Rscript", "octave", "julia",
                                        NULL};

/* True: the file's name is one of the list, perhaps followed by a version.  */
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

/* ------------------------------------------------------------------------ answers */

__attribute__((format(printf, 3, 4)))
static void say(struct judgement *judgement, enum suit suit, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(judgement->because, sizeof judgement->because, format, arguments);
  va_end(arguments);
  ghcomp_machine_make_printable(judgement->because, strlen(judgement->because)); /* names of files are in it */
  judgement->suit = suit;
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

/* A script's interpreter may run anything; only the way in which libraries reach it matters.  */
static enum suit suit_of_script(const char *path, unsigned depth)
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
    return suit_of_script(interpreter, depth + 1);
  struct links links;
  bool loads = elf.kind == ELF_DYNAMIC &&
               (elf.loads_libraries ||
                (links_find(&elf, interpreter, &links) == LINKS_FOUND && links.loads_libraries));
  return loads ? SUIT_PRELOAD : SUIT_PATH;
}

static void judge_script(const char *path, struct judgement *judgement)
{
  enum suit suit = suit_of_script(path, 0);
  say(judgement, suit, "%s is a script: that depends on what its interpreter %s", path,
      suit == SUIT_PRELOAD ? "loads" : "starts");
}

/* ----------------------------------------------------------------------- programs */

/* Privileges that the file has by its owner or its mode.  */
static bool is_privileged(const char *path, struct judgement *judgement)
{
  struct stat status;
  bool set_id = stat(path, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0;
  if (!set_id && getxattr(path, "security.capability", NULL, 0) <= 0)
    return false;
  say(judgement, SUIT_NOT, "%s is %s: the system ignores LD_LIBRARY_PATH for it, so it would run "
      "with its own OpenMP runtime", path, set_id ? "setuid or setgid" : "a file with capabilities");
  return true;
}

/* This runtime's file, or the one beside it whose names stand for its: libomp.so, of which libiomp5.so is a link.  */
static bool is_ours(const char *found, const char *library)
{
  char beside[PATH_MAX];
  const char *slash = strrchr(library, '/');
  snprintf(beside, sizeof beside, "%.*slibomp.so", slash != NULL ? (int)(slash + 1 - library) : 0, library);
  return ghcomp_is_same_file(found, library) || ghcomp_is_same_file(found, beside);
}

/* A process that asks for several gets one file for each, and only this runtime is all of them.  */
static void judge_with_runtime(const char *path, const struct links *links, const char *library,
                               struct judgement *judgement)
{
  const char *found = links->runtime;
  if (links->other[0] != '\0' && ghcomp_is_same_file(found, library))
    found = links->other;
  bool ours = is_ours(found, library);
  say(judgement, ours ? SUIT_PATH : SUIT_PRELOAD, "%s is linked with %s%s", path, found,
      ours ? ", which is this runtime" : "");
  judgement->certainty = SUIT_SURE;
}

/* The program is linked with no known OpenMP runtime.  */
static void judge_by_abilities(const char *path, const struct elf *elf, const struct links *links,
                               struct judgement *judgement)
{
  bool starts_only = is_named(path, launchers);
  if (elf->kind == ELF_LIBRARY && elf->has_runtime)
    say(judgement, SUIT_PRELOAD, "%s is an OpenMP runtime itself", path);
  else if (is_named(path, languages)) /* Rscript: it starts R, which puts folders of its own in front */
    say(judgement, SUIT_PRELOAD, "%s is not linked with an OpenMP runtime, and may start a language that loads one", path);
  else if (!starts_only && (elf->loads_libraries || links->loads_libraries))
    say(judgement, SUIT_PRELOAD, "%s is not linked with an OpenMP runtime, and may load one later", path);
  else if (starts_only || elf->starts_programs)
    say(judgement, SUIT_PATH, "%s is not linked with an OpenMP runtime, and may start programs that are", path);
  else
    say(judgement, SUIT_NOT, "%s does not use libgomp.so.1, libomp.so.5 or libiomp5.so, nor does any of its libraries%s", path,
        elf->has_runtime ? " (it brings an OpenMP runtime of its own)" : "");
}

/* By the file's own list of libraries: theirs may need a runtime, too.  */
static void judge_alone(const char *path, const struct elf *elf, struct judgement *judgement)
{
  bool preload = elf->needs_runtime ? elf->has_folders : elf->loads_libraries;
  char why[PATH_MAX + 80] = "has auditors or an unusual layout, so that a dynamic linker could execute it";
  if (elf->is_plain)
    snprintf(why, sizeof why, "asks for another dynamic linker than this system's, %s, which is not run", elf->interpreter);
  say(judgement, preload ? SUIT_PRELOAD : SUIT_PATH, "%s %s; the file's own list of libraries has %s OpenMP runtime", path, why,
      elf->needs_runtime ? "an" : "no");
  judgement->certainty = elf->needs_runtime ? SUIT_SURE : SUIT_LATER;
}

void suit_read(const char *path, struct suit_file *file)
{
  file->path = path;
  file->is_readable = elf_read(path, &file->elf);
}

bool suit_is_inside(const struct suit_file *file)
{
  return file->is_readable && file->elf.has_ours && (file->elf.kind == ELF_STATIC || file->elf.kind == ELF_DYNAMIC);
}

/* A Haskell program that depends on the package.  The runtime that is inside comes before any library.  */
static void judge_inside(const char *path, const struct elf *elf, struct judgement *judgement)
{
  judgement->rts = elf->rts;
  say(judgement, SUIT_INSIDE, "%s has this runtime inside, by the Haskell package ghc-openmp", path);
  judgement->certainty = SUIT_SURE;
}

static void judge_linked(const char *path, const struct elf *elf, const char *library, struct judgement *judgement)
{
  struct links links;
  enum links_answer answer = links_find(elf, path, &links);
  if (answer == LINKS_INCOMPLETE)
    say(judgement, SUIT_PATH, "%s lacks a library, so it cannot start as it is", path);
  else if (answer == LINKS_NOT_ASKED)
    judge_alone(path, elf, judgement);
  else if (links.runtime[0] != '\0')
    judge_with_runtime(path, &links, library, judgement);
  else
    judge_by_abilities(path, elf, &links, judgement);
}

void suit_judge(const struct suit_file *file, const char *library, bool folders_are_ours, struct judgement *judgement)
{
  const char *path = file->path;
  const struct elf *elf = &file->elf;
  judgement->certainty = SUIT_LATER;
  judgement->is_library = false;
  if (suit_is_inside(file)) {
    judge_inside(path, elf, judgement);
    return;
  }
  if (is_privileged(path, judgement))
    return;
  if (!file->is_readable) {
    say(judgement, SUIT_PATH, "%s is executable and not readable, so nobody can tell what it uses", path);
    return;
  }
  switch (elf->kind) {
  case ELF_NOT:
    judge_script(path, judgement);
    break;
  case ELF_FOREIGN:
    say(judgement, SUIT_NOT, "%s is for another machine or word size than this runtime", path);
    break;
  case ELF_BROKEN:
    say(judgement, SUIT_NOT, "%s does not name its dynamic linker as the system expects it, so it cannot start", path);
    break;
  case ELF_STATIC:
    say(judgement, SUIT_NOT, "%s is statically linked: there is no library to replace (link it dynamically)", path);
    break;
  case ELF_DYNAMIC:
    if (folders_are_ours && elf->needs_runtime && !elf->has_folders) {
      say(judgement, SUIT_PATH, "%s needs an OpenMP runtime, and says nothing of folders", path);
      judgement->certainty = SUIT_SURE;
    } else {
      judge_linked(path, elf, library, judgement);
    }
    break;
  case ELF_LIBRARY: /* the linker of this command serves as well as that of the program that will load it */
    judgement->is_library = true;
    judge_linked(path, elf, library, judgement);
    break;
  }
}
