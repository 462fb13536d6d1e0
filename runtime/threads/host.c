/* Finding the RTS of a Haskell host without linking against one.

   A dynamic executable, or one that exports its symbols, shows the RTS to
   dlsym.  A static one (GHC's default) does not.  Its file tells: GHC leaves a
   section .debug-ghc-link-info, and the RTS its messages among the constants,
   which survive `strip`; .symtab, where there is one, says where the RTS's
   variables are.  Nothing of this happens before a second thread or the default
   team size is needed.

   Who looks calls the loader, and holds no lock while it does: a constructor,
   which the loader runs under a lock of its own, may come here at the same time.
   Each of them looks for itself, and the first to publish wins.  */
#include "threads/host.h"

#include "machine/machine.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomics.h"

/* What there is to know; not written any more once it is published.  */
struct host {
  bool is_haskell;
  const _Atomic uint32_t *n_capabilities;
  const _Atomic uint32_t *enabled_capabilities;
  int (*supports_bound_threads)(void);
  void (*thread_done)(void);
  const void *capabilities;   /* the RTS's variable of this name; */
  bool capabilities_in_place; /* it is the array itself, not a pointer to it */
  const _Atomic uintptr_t *state; /* the RTS's sched_state: 0 until it ends */
};

static _Atomic(const struct host *) published;

static void take_symbol(struct host *host, const char *name, void *address)
{
  if (strcmp(name, "n_capabilities") == 0)
    host->n_capabilities = address;
  else if (strcmp(name, "enabled_capabilities") == 0)
    host->enabled_capabilities = address;
  else if (strcmp(name, "rtsSupportsBoundThreads") == 0)
    host->supports_bound_threads = (int (*)(void))address;
  else if (strcmp(name, "hs_thread_done") == 0)
    host->thread_done = (void (*)(void))address;
}

/* -------------------------------------------------------- a static executable */

struct image {
  const unsigned char *bytes;
  size_t size;
};

struct span {
  const void *bytes; /* NULL: no such section */
  size_t size;
};

/* The file is what the user gave us: nothing in it is believed unchecked.  */
static const void *part(const struct image *image, size_t offset, size_t size)
{
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

static const Elf64_Ehdr *elf_header(const struct image *image)
{
  const Elf64_Ehdr *header = part(image, 0, sizeof *header);
  bool ok = header != NULL && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
            header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_shstrndx < header->e_shnum;
  return ok ? header : NULL;
}

static struct span section_named(const struct image *image, const char *wanted)
{
  const struct span none = {NULL, 0};
  const Elf64_Ehdr *header = elf_header(image);
  if (header == NULL)
    return none;
  const Elf64_Shdr *list = part(image, header->e_shoff, header->e_shnum * sizeof *list);
  if (list == NULL)
    return none;
  const Elf64_Shdr *strings = &list[header->e_shstrndx];
  const char *names = part(image, strings->sh_offset, strings->sh_size);
  size_t length = strlen(wanted) + 1;
  for (unsigned i = 0; names != NULL && i < header->e_shnum; i++)
    if (list[i].sh_name < strings->sh_size && strings->sh_size - list[i].sh_name >= length &&
        memcmp(names + list[i].sh_name, wanted, length) == 0)
      return (struct span){part(image, list[i].sh_offset, list[i].sh_size), list[i].sh_size};
  return none;
}

/* Every version of the RTS has the text "hs_init_ghc: reinitializing the RTS …".
   It is looked for without its first letter, because this file may be linked into
   the program too, and must not find itself.  */
static bool has_mark(struct span constants)
{
  static const char mark[] = "s_init_ghc: reinitializing the RTS after shutdown";
  const char *at = constants.bytes, *end = at != NULL ? at + constants.size : NULL;
  for (; at != NULL; at++) {
    at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1);
    if (at == NULL)
      return false;
    if (at != constants.bytes && at[-1] == 'h')
      return true;
  }
  return false;
}

static bool is_made_by_ghc(const struct image *image)
{
  if (section_named(image, ".debug-ghc-link-info").bytes != NULL)
    return true;
  return has_mark(section_named(image, ".rodata"));
}

static int first_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr; /* the executable comes first */
  return 1;
}

/* Both are hidden; `capabilities` was changed from a pointer to an array and back.  */
static void take_from_table(struct host *host, const char *name, const Elf64_Sym *symbol, void *address)
{
  if (ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL)
    take_symbol(host, name, address);
  if (ELF64_ST_VISIBILITY(symbol->st_other) != STV_HIDDEN)
    return;
  if (strcmp(name, "sched_state") == 0)
    host->state = address;
  if (strcmp(name, "capabilities") != 0)
    return;
  host->capabilities = address;
  host->capabilities_in_place = symbol->st_size > sizeof address;
}

static void read_symbols(struct host *host, const struct image *image)
{
  struct span table = section_named(image, ".symtab"), names = section_named(image, ".strtab");
  const Elf64_Sym *symbols = table.bytes;
  const char *text = names.bytes;
  if (symbols == NULL || text == NULL || names.size == 0 || text[names.size - 1] != '\0')
    return;
  uintptr_t bias = 0;
  dl_iterate_phdr(first_bias, &bias);
  for (size_t i = 0; i < table.size / sizeof *symbols; i++)
    if (symbols[i].st_name < names.size && symbols[i].st_shndx != SHN_UNDEF)
      take_from_table(host, text + symbols[i].st_name, &symbols[i], (void *)(bias + symbols[i].st_value));
}

static void look_into_file(struct host *host, int file)
{
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_size <= 0)
    return;
  struct image image = {NULL, (size_t)status.st_size};
  void *bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED)
    return;
  image.bytes = bytes;
  host->is_haskell = is_made_by_ghc(&image);
  if (host->is_haskell)
    read_symbols(host, &image);
  munmap(bytes, image.size);
}

static void look_into_executable(struct host *host)
{
  int file = open("/proc/thread-self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  look_into_file(host, file);
  close(file);
}

/* --------------------------------------------------------------------- answers */

static struct host look(void)
{
  struct host host = {0};
  static const char *const names[] = {"n_capabilities", "enabled_capabilities",
                                      "rtsSupportsBoundThreads", "hs_thread_done"};
  bool shown = dlsym(RTLD_DEFAULT, "rts_lock") != NULL;
  look_into_executable(&host);
  if (!shown)
    return host;
  host.is_haskell = true;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    take_symbol(&host, names[i], dlsym(RTLD_DEFAULT, names[i]));
  return host;
}

/* Without memory to keep it in it is looked for again the next time.  */
static struct host publish(struct host mine)
{
  const struct host *other = NULL;
  struct host *kept = malloc(sizeof *kept);
  if (kept == NULL)
    return mine;
  *kept = mine;
  if (cas_acq_rel(&published, &other, kept)) /* pairs with the load_acquire in known() */
    return mine;
  free(kept);
  return *other;
}

static struct host known(void)
{
  const struct host *host = load_acquire(&published); /* pairs with the cas in publish() */
  return host != NULL ? *host : publish(look());
}

static enum host_kind kind_of(struct host host)
{
  if (!host.is_haskell)
    return HOST_C;
  if (host.n_capabilities == NULL || host.enabled_capabilities == NULL ||
      host.supports_bound_threads == NULL)
    return HOST_HASKELL_UNKNOWN;
  return host.supports_bound_threads() ? HOST_HASKELL_THREADED : HOST_HASKELL_SINGLE;
}

enum host_kind ghcomp_host_kind(void)
{
  return kind_of(known());
}

/* The RTS writes both plainly; what is read may be a moment old.  */
unsigned ghcomp_host_capabilities(void)
{
  struct host host = known();
  if (kind_of(host) != HOST_HASKELL_THREADED || load_relaxed(host.n_capabilities) == 0)
    return 0;
  return load_relaxed(host.enabled_capabilities);
}

/* Where a Capability says which Haskell thread it runs: the offset of r.rCurrentTSO in the
   public CapabilityPublic of RtsAPI.h; see host.h.  */
#define CURRENT_THREAD GHCOMP_HOST_CURRENT_THREAD

/* NULL from when the RTS begins to end: whoever goes on then (exit handlers of the program's) is a thread
   that it does not know, or was one that waits for its end.  */
static const char *const *all_capabilities(const struct host *host)
{
  if (host->state != NULL && load_relaxed(host->state) != 0)
    return NULL;
  if (host->capabilities == NULL || host->capabilities_in_place)
    return host->capabilities;
  return load_acquire((const char *const *const _Atomic *)host->capabilities); /* the RTS's store */
}

unsigned ghcomp_host_busy(unsigned unknown)
{
  struct host host = known();
  unsigned count = ghcomp_host_capabilities(), busy = 0;
  const char *const *all = count != 0 ? all_capabilities(&host) : NULL;
  if (all == NULL)
    return unknown;
  for (unsigned i = 0; i < count; i++)
    busy += load_relaxed((void *const _Atomic *)(all[i] + CURRENT_THREAD)) != NULL;
  return busy;
}

unsigned ghcomp_host_busy_from_outside(void)
{
  struct host host = known();
  unsigned count = ghcomp_host_capabilities();
  const char *const *all = count != 0 ? all_capabilities(&host) : NULL;
  return all != NULL ? ghcomp_machine_count_set(all, count, CURRENT_THREAD) : 0;
}

void ghcomp_host_thread_ends(void)
{
  struct host host = known();
  if (host.thread_done != NULL)
    host.thread_done();
}
