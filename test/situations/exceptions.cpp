// Every thread throws and catches a C++ exception inside a region.
#include <omp.h>
#include <stdexcept>

static int risky(int i)
{
  if (i % 3 == 0)
    throw std::runtime_error("three");
  return i;
}

int main()
{
  int caught = 0, returned = 0;
#pragma omp parallel for num_threads(4) reduction(+ : caught, returned)
  for (int i = 0; i < 3000; i++) {
    try {
      risky(i);
      returned++;
    } catch (const std::runtime_error &) {
      caught++;
    }
  }
#pragma omp parallel num_threads(4) reduction(+ : caught)
  {
    try {
#pragma omp task shared(caught)
      {
        try {
          risky(3);
        } catch (const std::exception &) {
#pragma omp atomic
          caught += 0;
        }
      }
#pragma omp taskwait
      risky(0);
    } catch (const std::exception &) {
      caught++;
    }
  }
  return caught == 1004 && returned == 2000 ? 0 : 1;
}
