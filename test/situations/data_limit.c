/* Under ulimit -d there is no memory for the stacks of the RTS's threads.  The message must name that
   reason and not the number of threads.  As many plain threads as memory allows serve.
   On one processor the RTS needs no thread of its own, so only the pool lacks one.
   env: GHCOMP_SUBSTRATE=ghc OMP_NUM_THREADS=4
   wrap: ulimit -d 6000; %s 2>&1 | if [ "$(env -u OMP_NUM_THREADS nproc)" = 1 ]; then sed 's/^ghcomp: a thread/one processor: a thread/'; else grep "GHC's runtime"; fi
   stdout: not started \(a thread could not be created: mmap of \d+ KB: Cannot allocate memory: the limit of data, ulimit -d\): plain threads are used|^one processor: a thread could not be created */
static __thread char large[1 << 20]; /* with each stack */

int main(void)
{
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1 + large[999];
  return sum >= 1 ? 0 : 1;
}
