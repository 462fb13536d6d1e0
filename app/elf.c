/* What the headers and dynamic symbols of a program say about it.  */
#include "app/elf.h"

#include "machine/elf.h"
#include "machine/process.h"

#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#else
#define OUR_MACHINE EM_NONE
#endif

static bool is_one_of(const char *name, const char *const *list)
{
  while (*list != NULL && strcmp(name, *list) != 0)
    list++;
  return *list != NULL;
}

static void note_symbol(void *state, const char *name, const Elf64_Sym *symbol)
{
  static const char *const loaders[] = {"dlopen", "dlmopen", NULL};
  static const char *const starters[] = {"execl", "execle", "execlp", "execv", "execve", "execvp",
                                         "execvpe", "fexecve", "posix_spawn", "posix_spawnp",
                                         "system", "popen", NULL};
  struct elf *elf = state;
  if (symbol->st_shndx != SHN_UNDEF) {
    elf->has_runtime |= strcmp(name, "GOMP_parallel") == 0 || strcmp(name, "__kmpc_fork_call") == 0;
    elf->has_ours |= strcmp(name, "ghcomp_version") == 0;
  } else {
    elf->loads_libraries |= is_one_of(name, loaders);
    elf->starts_programs |= is_one_of(name, starters);
  }
}

/* Every version of the RTS has hs_init_ghc, and every threaded one has yieldCapability.  */
static void note_rts(void *state, const char *name, const Elf64_Sym *symbol)
{
  struct elf *elf = state;
  if (symbol->st_shndx == SHN_UNDEF)
    return;
  if (strcmp(name, "yieldCapability") == 0)
    elf->rts = RTS_THREADED;
  else if (strcmp(name, "hs_init_ghc") == 0 && elf->rts == RTS_NOT_SEEN)
    elf->rts = RTS_SINGLE;
}

bool elf_names_runtime(const char *library)
{
  return strcmp(library, "libgomp.so.1") == 0 || ghcomp_machine_names_llvm(library);
}

bool elf_names_language(const char *library)
{
  static const char *const starts[] = {"libpython", "libR.so", "libperl", "libruby", "libjulia",
                                       "libjli", "libtcl", "libguile", "liboct", NULL};
  for (unsigned i = 0; starts[i] != NULL; i++)
    if (strncmp(library, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

static void note_entry(const Elf64_Dyn *entry, struct section names, struct elf *elf)
{
  elf->has_folders |= entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH;
  if (entry->d_tag != DT_NEEDED || entry->d_un.d_val >= names.size)
    return;
  const char *name = (const char *)names.bytes + entry->d_un.d_val;
  elf->needs_runtime |= elf_names_runtime(name);
  elf->has_ours |= strncmp(name, "libHSghc-openmp-", 16) == 0 && name[16] >= '0' && name[16] <= '9';
  if (strncmp(name, "libHSrts", 8) == 0)
    elf->rts = strstr(name, "_thr") != NULL ? RTS_THREADED : RTS_SINGLE;
  elf->loads_libraries |= elf_names_language(name);
}

static void read_needs(const struct image *image, struct elf *elf)
{
  struct section list = ghcomp_elf_section(image, ".dynamic"), names = ghcomp_elf_section(image, ".dynstr");
  if (list.bytes == NULL || names.bytes == NULL || names.size == 0 || ((const char *)names.bytes)[names.size - 1] != '\0')
    return;
  for (size_t i = 0; i < list.size / sizeof(Elf64_Dyn); i++)
    note_entry((const Elf64_Dyn *)list.bytes + i, names, elf);
}

/* A position-independent static program has such a segment, too, but needs no library and has no
   name.  */
static bool is_of_library(const struct image *image, const Elf64_Phdr *segment)
{
  const Elf64_Dyn *list = ghcomp_elf_part(image, segment->p_offset, segment->p_filesz);
  for (size_t i = 0; list != NULL && i < segment->p_filesz / sizeof *list; i++)
    if (list[i].d_tag == DT_NEEDED || list[i].d_tag == DT_SONAME)
      return true;
  return false;
}

/* ------------------------------------------------------------------- can it be listed */

/* Programs and libraries end far below where the system puts the dynamic linker itself.  */
#define MOST_ADDRESS (UINT64_C(1) << 40)

/* In ascending order, on pages of their own: so none is mapped over another one, or over the dynamic linker.  */
static bool is_in_order(const Elf64_Phdr *list, unsigned count)
{
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = 0;
  for (unsigned i = 0; i < count; i++) {
    if (list[i].p_type != PT_LOAD)
      continue;
    uint64_t start = list[i].p_vaddr & -page, past = list[i].p_vaddr + list[i].p_memsz;
    bool ok = start >= end && list[i].p_vaddr < MOST_ADDRESS && list[i].p_memsz < MOST_ADDRESS &&
              list[i].p_filesz <= list[i].p_memsz && (list[i].p_vaddr - list[i].p_offset) % page == 0;
    if (!ok)
      return false;
    end = (past + page - 1) & -page;
  }
  return true;
}

/* In memory, where the dynamic linker looks, are the same bytes of the file as at the segment's offset.  */
static bool is_in_place(const Elf64_Phdr *segment, const Elf64_Phdr *list, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    uint64_t at = segment->p_vaddr - list[i].p_vaddr;
    if (list[i].p_type == PT_LOAD && at <= list[i].p_filesz && segment->p_filesz <= list[i].p_filesz - at)
      return segment->p_offset - list[i].p_offset == at;
  }
  return false;
}

/* Auditors are libraries that the dynamic linker executes, also when it only lists.  */
static bool has_no_auditor(const Elf64_Dyn *entries, size_t count)
{
  for (size_t i = 0; entries != NULL && i < count; i++) {
    if (entries[i].d_tag == DT_AUDIT || entries[i].d_tag == DT_DEPAUDIT)
      return false;
    if (entries[i].d_tag == DT_NULL)
      return true;
  }
  return false; /* they do not end where the segment ends */
}

static bool can_be_listed(const struct image *image, const Elf64_Phdr *list, unsigned count)
{
  const Elf64_Phdr *dynamic = NULL;
  for (unsigned i = 0; i < count; i++)
    if (list[i].p_type == PT_DYNAMIC) {
      if (dynamic != NULL)
        return false;
      dynamic = &list[i];
    }
  return dynamic != NULL && is_in_order(list, count) && is_in_place(dynamic, list, count) &&
         has_no_auditor(ghcomp_elf_part(image, dynamic->p_offset, dynamic->p_filesz), dynamic->p_filesz / sizeof(Elf64_Dyn));
}

/* ------------------------------------------------------------------- what it is */

/* The system's own rule; its name for a file that breaks it is ENOEXEC.  */
static void note_interpreter(const char *text, size_t size, struct elf *elf)
{
  bool ok = text != NULL && size >= 2 && size <= sizeof elf->interpreter && text[size - 1] == '\0';
  elf->kind = ok ? ELF_DYNAMIC : ELF_BROKEN;
  if (ok)
    memcpy(elf->interpreter, text, size);
}

static bool has_interpreter(const struct elf *elf)
{
  return elf->kind == ELF_DYNAMIC || elf->kind == ELF_BROKEN;
}

static void read_segments(const struct image *image, const Elf64_Ehdr *header, struct elf *elf)
{
  const Elf64_Phdr *list = ghcomp_elf_part(image, header->e_phoff, header->e_phnum * sizeof *list);
  elf->is_plain = list != NULL && can_be_listed(image, list, header->e_phnum);
  for (unsigned i = 0; list != NULL && i < header->e_phnum; i++) {
    if (list[i].p_type == PT_DYNAMIC && elf->kind == ELF_STATIC && is_of_library(image, &list[i]))
      elf->kind = ELF_LIBRARY; /* unless it has an interpreter */
    if (list[i].p_type == PT_INTERP && !has_interpreter(elf)) /* the system, too, takes the first */
      note_interpreter(ghcomp_elf_part(image, list[i].p_offset, list[i].p_filesz), list[i].p_filesz, elf);
  }
}

static void read_image(const struct image *image, struct elf *elf)
{
  const unsigned char *ident = ghcomp_elf_part(image, 0, EI_NIDENT);
  if (ident == NULL || memcmp(ident, ELFMAG, SELFMAG) != 0)
    return;
  const Elf64_Ehdr *header = ghcomp_elf_header(image);
  elf->kind = ELF_FOREIGN;
  if (header == NULL || header->e_machine != OUR_MACHINE)
    return;
  elf->kind = ELF_STATIC;
  read_segments(image, header, elf);
  read_needs(image, elf);
  ghcomp_elf_symbols(image, elf->kind == ELF_STATIC ? SHT_SYMTAB : SHT_DYNSYM, note_symbol, elf);
  if (elf->has_ours)
    ghcomp_elf_symbols(image, SHT_SYMTAB, note_rts, elf);
}

bool elf_read(const char *path, struct elf *elf)
{
  struct image image;
  memset(elf, 0, sizeof *elf);
  elf->kind = ELF_NOT;
  if (!ghcomp_elf_open(path, &image))
    return false;
  read_image(&image, elf);
  ghcomp_elf_close(&image);
  return true;
}
