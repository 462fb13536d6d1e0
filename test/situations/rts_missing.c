/* Without the RTS library plain threads serve, after one message.
   env: GHCOMP_RTS_LIBRARY=/nonexistent/libghcomp_rts.so GHCOMP_SUBSTRATE=ghc
   stderr: ^ghcomp: GHC's runtime system cannot be loaded \(.*\): plain threads are used instead of Capabilities\n$ */
int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum++;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum++;
  return sum == 7 ? 0 : 1;
}
