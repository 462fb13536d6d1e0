/* main returns at once while workers spin; they never sleep.
   env: OMP_WAIT_POLICY=active
   status: 6 */
int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum++;
  return sum == 3 ? 6 : 1;
}
