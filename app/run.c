/* ghcomp run: finds the program, looks whether our library can serve it, and
   becomes it, with the library's folder in front of LD_LIBRARY_PATH.

   A program whose own RPATH or RUNPATH names a folder with a libgomp would find
   that one; then, and for interpreters, whose libraries come later, LD_PRELOAD
   settles it.  */
#include "app/elf.h"
#include "app/ghcomp.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_UNSUITABLE = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

static int usage(FILE *out, int status)
{
  fputs("usage: ghcomp run [--substrate ghc|pthread] -- PROGRAM [ARGUMENT...]\n"
        "\n"
        "Runs an OpenMP program that GCC built (-fopenmp) with this runtime as its\n"
        "libgomp.so.1.  Exit status and signals are the program's own; 125 means that it\n"
        "was not started because this runtime cannot serve it (static, setuid, without\n"
        "libgomp, for another machine, or with LLVM's runtime), 126 and 127 that it cannot\n"
        "be executed or found, as with env(1).\n", out);
  return status;
}

/* ---------------------------------------------------------------- finding things */

static char *join(const char *folder, size_t length, const char *name)
{
  char *path = malloc(length + strlen(name) + 2);
  if (path == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "out of memory");
  sprintf(path, "%.*s/%s", (int)length, folder, name);
  return path;
}

/* The first folder of a colon-separated list that has the name, with `mode`. */
static char *search(const char *list, const char *name, int mode)
{
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ":");
    char *path = join(length != 0 ? list : ".", length != 0 ? length : 1, name);
    if (access(path, mode) == 0)
      return path;
    free(path);
    list += length + (list[length] == ':');
  }
  return NULL;
}

static char *find_program(const char *name)
{
  struct stat status;
  char *path;
  if (strchr(name, '/') != NULL) {
    path = strdup(name);
  } else {
    const char *list = getenv("PATH");
    path = search(list != NULL ? list : "/usr/bin:/bin", name, X_OK);
  }
  if (path == NULL || access(path, F_OK) != 0)
    ghcomp_fail(EXIT_NOT_FOUND, "%s: there is no such program", name);
  if (stat(path, &status) != 0 || S_ISDIR(status.st_mode) || access(path, X_OK) != 0)
    ghcomp_fail(EXIT_NOT_EXECUTABLE, "%s: this is not an executable file", path);
  return path;
}

#define SYSTEM_FOLDERS                                                             \
  "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu:"        \
  "/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib"

/* $ORIGIN in a RUNPATH is the folder of the file that has it.  */
static char *expand_origin(const char *list, const char *file)
{
  char *resolved = realpath(file, NULL);
  char *slash = resolved != NULL ? strrchr(resolved, '/') : NULL;
  size_t room = strlen(list) + (resolved != NULL ? 8 * strlen(resolved) : 0) + 1;
  char *out = calloc(1, room);
  if (slash != NULL)
    *slash = '\0';
  for (const char *p = list; *p != '\0' && out != NULL;) {
    size_t skip = strncmp(p, "$ORIGIN", 7) == 0 ? 7 : strncmp(p, "${ORIGIN}", 9) == 0 ? 9 : 0;
    if (skip != 0 && resolved != NULL && strlen(out) + strlen(resolved) + 1 < room) {
      strcat(out, resolved);
      p += skip;
    } else {
      strncat(out, p++, 1);
    }
  }
  free(resolved);
  return out;
}

static char *find_library(const char *name, const struct elf *needer, const char *needer_path)
{
  char *found = NULL;
  if (needer->path != NULL) {
    char *list = expand_origin(needer->path, needer_path);
    found = search(list, name, R_OK);
    free(list);
  }
  if (found == NULL)
    found = search(getenv("LD_LIBRARY_PATH"), name, R_OK);
  return found != NULL ? found : search(SYSTEM_FOLDERS, name, R_OK);
}

/* ------------------------------------------------------------ what it links with */

struct links {
  bool gomp, llvm, own_path_has_gomp;
  char *seen[512];
  unsigned count;
};

static bool is_new(struct links *links, const char *name)
{
  for (unsigned i = 0; i < links->count; i++)
    if (strcmp(links->seen[i], name) == 0)
      return false;
  if (links->count < sizeof links->seen / sizeof links->seen[0])
    links->seen[links->count++] = strdup(name);
  return true;
}

static bool is_llvm(const char *name)
{
  return strncmp(name, "libomp.so", 9) == 0 || strncmp(name, "libiomp5.so", 11) == 0;
}

static void follow(struct links *links, const struct elf *elf, const char *path)
{
  for (unsigned i = 0; i < elf->count; i++) {
    const char *name = elf->needed[i];
    struct elf next;
    if (!is_new(links, name))
      continue;
    if (strcmp(name, "libgomp.so.1") == 0) {
      links->gomp = true;
      if (elf->path != NULL) {
        char *list = expand_origin(elf->path, path);
        char *other = search(list, name, R_OK);
        links->own_path_has_gomp |= other != NULL;
        free(other);
        free(list);
      }
    }
    links->llvm |= is_llvm(name);
    char *library = find_library(name, elf, path);
    if (library != NULL && elf_read(library, &next) && next.kind == ELF_DYNAMIC)
      follow(links, &next, library);
    free(library);
  }
}

/* "#!interpreter argument": the interpreter's path, or NULL.  */
static char *interpreter_of(const char *path)
{
  static char line[PATH_MAX];
  FILE *file = fopen(path, "re");
  bool ok = file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "#!", 2) == 0;
  if (file != NULL)
    fclose(file);
  if (!ok)
    return NULL;
  char *start = line + 2 + strspn(line + 2, " \t");
  start[strcspn(start, " \t\r\n")] = '\0';
  return start;
}

/* Programs that load libraries long after they started.  */
static bool is_interpreter(const char *path)
{
  static const char *const names[] = {"python", "perl", "ruby", "R", "Rscript", "octave", "julia",
                                      "node", "lua", "sh", "bash", "dash", "env", "java", "guile",
                                      "tclsh", "php", NULL};
  const char *base = strrchr(path, '/');
  base = base != NULL ? base + 1 : path;
  for (unsigned i = 0; names[i] != NULL; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(base, names[i], length) == 0 && strspn(base + length, "0123456789.") == strlen(base + length))
      return true;
  }
  return false;
}

static void refuse_unsuitable(const char *path, const struct elf *elf)
{
  struct stat status;
  if (stat(path, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is setuid or setgid: the system ignores LD_LIBRARY_PATH for "
                "it, so it would run with its own libgomp; it was not started", path);
  if (elf->kind == ELF_FOREIGN)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is for another machine or word size than this runtime; it was "
                "not started", path);
  if (elf->kind == ELF_STATIC)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is statically linked: there is no libgomp.so.1 to replace; it "
                "was not started (link it dynamically)", path);
}

/* Must the library be preloaded, or is LD_LIBRARY_PATH enough?  */
static bool examine(const char *path)
{
  struct elf elf;
  struct links links = {0};
  if (!elf_read(path, &elf))
    return true; /* executable but not readable: the program is its own judge */
  if (elf.kind == ELF_NOT) {
    char *interpreter = interpreter_of(path);
    if (interpreter == NULL || access(interpreter, X_OK) != 0)
      ghcomp_fail(EXIT_NOT_EXECUTABLE, "%s is neither a program nor a script with an interpreter",
                  path);
    return true;
  }
  refuse_unsuitable(path, &elf);
  follow(&links, &elf, path);
  if (links.gomp)
    return links.own_path_has_gomp;
  if (is_interpreter(path))
    return true;
  if (links.llvm)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is linked with LLVM's OpenMP runtime, whose entry points "
                "(__kmpc_*) this runtime does not have; it was not started (build it with gcc "
                "-fopenmp)", path);
  ghcomp_fail(EXIT_UNSUITABLE, "%s does not use libgomp.so.1, nor does any library that it names; it "
              "was not started", path);
}

/* ------------------------------------------------------------------------ running */

static void put_in_front(const char *variable, const char *value, char separator)
{
  const char *old = getenv(variable);
  if (old == NULL || *old == '\0') {
    setenv(variable, value, 1);
    return;
  }
  char *both = malloc(strlen(value) + strlen(old) + 2);
  if (both == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "out of memory");
  sprintf(both, "%s%c%s", value, separator, old);
  setenv(variable, both, 1);
  free(both);
}

int ghcomp_run(int argc, char **argv)
{
  int i = 0;
  for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
    if (strcmp(argv[i], "--") == 0) {
      i++;
      break;
    }
    if (strcmp(argv[i], "--help") == 0)
      return usage(stdout, 0);
    if (strcmp(argv[i], "--substrate") == 0 && i + 1 < argc) {
      const char *name = argv[++i];
      if (strcmp(name, "ghc") != 0 && strcmp(name, "pthread") != 0)
        ghcomp_fail(2, "--substrate %s: expected ghc or pthread", name);
      setenv("GHCOMP_SUBSTRATE", name, 1);
      continue;
    }
    fprintf(stderr, "ghcomp: '%s' is not an option of run\n", argv[i]);
    return usage(stderr, 2);
  }
  if (i >= argc) {
    fputs("ghcomp: run: expected a program\n", stderr);
    return usage(stderr, 2);
  }
  char *path = find_program(argv[i]);
  const char *folder = ghcomp_library_folder();
  if (examine(path)) {
    char library[PATH_MAX + 32];
    snprintf(library, sizeof library, "%s/libgomp.so.1", folder);
    put_in_front("LD_PRELOAD", library, ':');
  }
  put_in_front("LD_LIBRARY_PATH", folder, ':');
  execv(path, argv + i);
  ghcomp_fail(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE, "%s: %s", path,
              strerror(errno));
}
