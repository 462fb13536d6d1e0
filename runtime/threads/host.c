/* Finding the RTS of a Haskell host without linking against one.

   In a dynamic executable, or one that exports its symbols, dlsym finds the RTS.  In a static one
   (GHC's default) it does not, and the executable file is read: GHC leaves a section
   .debug-ghc-link-info, and the RTS has its messages among the constants, which survive `strip`.
   The section .symtab, if it is there, says where the RTS's variables are.  None of this happens
   before a second thread or the default team size is needed.

   A thread that looks calls the loader, and holds no lock meanwhile: a constructor, which the
   loader runs under a lock of its own, may come here at the same time.  Each thread looks for
   itself, and the first one publishes what it has found.  */
#include "threads/host.h"

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/disturbance.h"
#include "machine/elf.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

/* What is known about the host; not written after it is published.  */
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

/* Every version of the RTS has the text "hs_init_ghc: reinitializing the RTS …".  The search is for
   the text without its first letter, because this file may be linked into the program, too, and
   must not find itself.  */
static bool has_mark(struct section constants)
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
  if (ghcomp_elf_section(image, ".debug-ghc-link-info").bytes != NULL)
    return true;
  return has_mark(ghcomp_elf_section(image, ".rodata"));
}

static int first_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr; /* the executable comes first */
  return 1;
}

struct found {
  struct host *host;
  uintptr_t bias; /* of the executable's addresses */
};

/* `sched_state` and `capabilities` are hidden.  The latter is an array in some versions and a
   pointer in others.  */
static void take_from_table(void *state, const char *name, const Elf64_Sym *symbol)
{
  const struct found *found = state;
  struct host *host = found->host;
  void *address = (void *)(found->bias + symbol->st_value);
  if (symbol->st_shndx == SHN_UNDEF)
    return;
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

static void look_into_executable(struct host *host)
{
  struct image image;
  if (!ghcomp_elf_open("/proc/thread-self/exe", &image))
    return;
  host->is_haskell = is_made_by_ghc(&image);
  if (host->is_haskell) {
    struct found found = {host, 0};
    dl_iterate_phdr(first_bias, &found.bias);
    ghcomp_elf_symbols(&image, SHT_SYMTAB, take_from_table, &found);
  }
  ghcomp_elf_close(&image);
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

/* If there is no memory to keep it in, the next caller looks again.  */
static struct host publish(struct host mine)
{
  const struct host *other = NULL;
  struct host *kept = ghcomp_memory_try(sizeof *kept);
  if (kept == NULL)
    return mine;
  *kept = mine;
  if (cas_acq_rel(&published, &other, kept)) /* pairs with the load_acquire in known() */
    return mine;
  ghcomp_memory_release(kept);
  return *other;
}

/* No handler may come meanwhile: the loader and the allocator are at work.  */
static __attribute__((noinline)) struct host find(void)
{
  struct held held = ghcomp_machine_hold();
  struct host host = publish(look());
  ghcomp_machine_let(held);
  return host;
}

static struct host known(void)
{
  const struct host *host = load_acquire(&published); /* pairs with the cas in publish() */
  return host != NULL ? *host : find();
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

/* The RTS writes both by plain stores, so the values may be a moment old.  */
unsigned ghcomp_host_capabilities(void)
{
  struct host host = known();
  if (kind_of(host) != HOST_HASKELL_THREADED || load_relaxed(host.n_capabilities) == 0)
    return 0;
  return load_relaxed(host.enabled_capabilities);
}

/* In all versions of GHC that there are; this file knows no header of theirs.  */
const size_t ghcomp_host_current_thread = 896;

/* In GHC 9.0 and 9.10.  Who reads the fields checks that the number is right.  */
const size_t ghcomp_host_number = 944;

/* NULL once the RTS has begun to end.  Threads that still run then (exit handlers of the program,
   say) are not known to the RTS, or wait for its end.  */
const char *const *ghcomp_host_capability_list(void)
{
  struct host host = known();
  if (host.state != NULL && load_relaxed(host.state) != 0)
    return NULL;
  if (host.capabilities == NULL || host.capabilities_in_place)
    return host.capabilities;
  return load_acquire((const char *const *const _Atomic *)host.capabilities); /* the RTS's store */
}

void ghcomp_host_thread_ends(void)
{
  struct host host = known();
  if (host.thread_done != NULL)
    host.thread_done();
}
