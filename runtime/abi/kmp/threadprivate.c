/* threadprivate by the runtime.  Spec: 5.2, 5.2.  */
#include "memory/threadprivate.h"

#include "abi/kmp/kmp.h"

ENTRY_POINTS(kmp_threadprivate);

EXPORT void *__kmpc_threadprivate_cached(struct kmp_ident *where, int32_t gtid, void *original, size_t size,
                                         threadprivate_cache *cache)
{
  (void)where, (void)gtid;
  return ghcomp_threadprivate_copy(ghcomp_self()->global_number, original, size, cache);
}

EXPORT void *__kmpc_threadprivate(struct kmp_ident *where, int32_t gtid, void *original, size_t size)
{
  (void)where, (void)gtid;
  return ghcomp_threadprivate_find(ghcomp_self()->global_number, original, size, NULL);
}

EXPORT void __kmpc_threadprivate_register(struct kmp_ident *where, void *original, void *(*construct)(void *),
                                          void *(*construct_from)(void *, void *), void (*destroy)(void *))
{
  (void)where;
  struct threadprivate_kind kind = {.construct = construct, .construct_from = construct_from, .destroy = destroy};
  ghcomp_threadprivate_register(original, &kind);
}

EXPORT void __kmpc_threadprivate_register_vec(struct kmp_ident *where, void *original,
                                              void *(*construct)(void *, size_t),
                                              void *(*construct_from)(void *, void *, size_t),
                                              void (*destroy)(void *, size_t), size_t elements)
{
  (void)where;
  struct threadprivate_kind kind = {.elements = elements, .construct_array = construct,
                                    .construct_array_from = construct_from, .destroy_array = destroy};
  ghcomp_threadprivate_register(original, &kind);
}
