/* One thread does it, the others wait at a barrier.  The barrier is written out, because GCC leaves out that of a single at a
   region's end if it can: then they wait at the join.  */
#define BY_ONE(...)                                                                                                    \
  do {                                                                                                                 \
    _Pragma("omp parallel")                                                                                            \
    {                                                                                                                  \
      _Pragma("omp single nowait") __VA_ARGS__;                                                                        \
      _Pragma("omp barrier")                                                                                           \
    }                                                                                                                  \
  } while (0)
