/* Finding the RTS of a Haskell host without linking against one.

   A dynamic executable, or one that exports its symbols, shows the RTS to
   dlsym.  A static one (GHC's default) shows it in its own symbol table only:
   the section .debug-ghc-link-info says that GHC linked it, and .symtab where
   the RTS's variables are.  Nothing of this happens before a second thread or
   the default team size is needed.  */
#include "substrate/host.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomics.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_haskell;
static const volatile uint32_t *n_capabilities;
static const volatile uint32_t *enabled_capabilities;
static int (*supports_bound_threads)(void);

/* -------------------------------------------------------- a static executable */

struct image {
  const unsigned char *bytes;
  size_t size;
};

static const void *part(const struct image *image, size_t offset, size_t size)
{
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

static const Elf64_Shdr *sections(const struct image *image, unsigned *count, const char **names,
                                  size_t *names_size)
{
  const Elf64_Ehdr *header = part(image, 0, sizeof *header);
  if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shstrndx >= header->e_shnum)
    return NULL;
  const Elf64_Shdr *list = part(image, header->e_shoff, header->e_shnum * sizeof *list);
  if (list == NULL)
    return NULL;
  const Elf64_Shdr *strings = &list[header->e_shstrndx];
  *names = part(image, strings->sh_offset, strings->sh_size);
  *names_size = strings->sh_size;
  *count = header->e_shnum;
  return *names != NULL ? list : NULL;
}

static const Elf64_Shdr *section_named(const struct image *image, const char *name)
{
  unsigned count;
  const char *names;
  size_t size;
  const Elf64_Shdr *list = sections(image, &count, &names, &size);
  for (unsigned i = 0; list != NULL && i < count; i++)
    if (list[i].sh_name < size && strncmp(names + list[i].sh_name, name, size - list[i].sh_name) == 0)
      return &list[i];
  return NULL;
}

static int first_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr; /* the executable comes first */
  return 1;
}

static void take_symbol(const char *name, void *address)
{
  if (strcmp(name, "n_capabilities") == 0)
    n_capabilities = address;
  else if (strcmp(name, "enabled_capabilities") == 0)
    enabled_capabilities = address;
  else if (strcmp(name, "rtsSupportsBoundThreads") == 0)
    supports_bound_threads = (int (*)(void))address;
}

static void read_symbols(const struct image *image)
{
  const Elf64_Shdr *table = section_named(image, ".symtab");
  const Elf64_Shdr *names = section_named(image, ".strtab");
  if (table == NULL || names == NULL)
    return;
  const Elf64_Sym *symbols = part(image, table->sh_offset, table->sh_size);
  const char *text = part(image, names->sh_offset, names->sh_size);
  uintptr_t bias = 0;
  dl_iterate_phdr(first_bias, &bias);
  for (size_t i = 0; symbols != NULL && text != NULL && i < table->sh_size / sizeof *symbols; i++)
    if (symbols[i].st_name < names->sh_size && symbols[i].st_value != 0)
      take_symbol(text + symbols[i].st_name, (void *)(bias + symbols[i].st_value));
}

static void look_into_executable(void)
{
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0)
    return;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      struct image image = {bytes, size};
      is_haskell = section_named(&image, ".debug-ghc-link-info") != NULL;
      if (is_haskell)
        read_symbols(&image);
      munmap(bytes, size);
    }
  }
  close(file);
}

/* --------------------------------------------------------------------- answers */

static void look(void)
{
  if (dlsym(RTLD_DEFAULT, "rts_lock") != NULL) {
    is_haskell = true;
    take_symbol("n_capabilities", dlsym(RTLD_DEFAULT, "n_capabilities"));
    take_symbol("enabled_capabilities", dlsym(RTLD_DEFAULT, "enabled_capabilities"));
    take_symbol("rtsSupportsBoundThreads", dlsym(RTLD_DEFAULT, "rtsSupportsBoundThreads"));
    return;
  }
  look_into_executable();
}

static bool is_visible(void)
{
  return n_capabilities != NULL && enabled_capabilities != NULL && supports_bound_threads != NULL;
}

enum host_kind ghcomp_host_kind(void)
{
  pthread_once(&once, look);
  if (!is_haskell)
    return HOST_C;
  if (!is_visible() || *n_capabilities == 0)
    return HOST_HASKELL_UNKNOWN;
  return supports_bound_threads() ? HOST_HASKELL_THREADED : HOST_HASKELL_SINGLE;
}

unsigned ghcomp_host_capabilities(void)
{
  return ghcomp_host_kind() == HOST_HASKELL_THREADED ? *enabled_capabilities : 0;
}
