/* The runtime rejects a stack size that is too small for a thread and names it; ulimit -s does not
   matter then.
   wrap: ulimit -s 1024; OMP_STACKSIZE=1B %s
   stderr: ^ghcomp: OMP_STACKSIZE=1B: expected .* is used\n$ */
int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum++;
  return sum == 3 ? 0 : 1;
}
