/* A stack size below what a thread can have is raised to it, and ulimit -s
   does not matter then.
   wrap: ulimit -s 1024; OMP_STACKSIZE=1B %s */
int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum++;
  return sum == 3 ? 0 : 1;
}
