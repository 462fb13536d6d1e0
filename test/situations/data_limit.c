/* Under ulimit -d there is no memory for the stacks of workers.  The message must name that reason and not the number of
   threads.  GHC's runtime system needs less and starts.
   env: GHCOMP_SUBSTRATE=ghc OMP_NUM_THREADS=4
   wrap: ulimit -d 6000; %s
   stderr: ^ghcomp: a thread could not be created \(mmap of \d+ KB: Cannot allocate memory: the limit of data, ulimit -d\): a region that wanted 4 threads runs with 1; this is said once\n$ */
static __thread char large[1 << 20]; /* with each stack */

int main(void)
{
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1 + large[999];
  return sum >= 1 ? 0 : 1;
}
