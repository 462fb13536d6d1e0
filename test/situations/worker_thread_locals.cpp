/* Thread-local objects of workers are destroyed after the last thread with regions has ended: the
   workers end then, some time later.  */
#include <atomic>
#include <thread>
#include <vector>
#include <sched.h>

static std::atomic<int> made{0}, destroyed{0};

struct Counted {
  int uses = 0;
  Counted() { made++; }
  ~Counted() { destroyed++; }
};
static thread_local Counted counted;

static std::atomic<int> wrong{0};

static void master()
{
  for (int i = 0; i < 100; i++) {
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
      counted.uses++;
      sum++;
    }
    wrong += sum != 3;
  }
}

int main()
{
  for (int round = 0; round < 3; round++) {
    std::vector<std::thread> masters;
    for (int i = 0; i < 5; i++)
      masters.emplace_back(master);
    for (auto &thread : masters)
      thread.join();
    while (destroyed != made) /* does not end if a worker stays */
      sched_yield();
  }
  return wrong != 0 || made < 3 * 5;
}
