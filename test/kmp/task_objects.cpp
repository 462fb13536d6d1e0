/* C++ objects in the data of Clang's tasks: each must be constructed and destroyed once, in tasks that run, in taskloops,
   in undeferred, untied and cancelled tasks (5.2, 5.4.4, 11.2).
   env: OMP_CANCELLATION=true */
#include <atomic>
#include <cstdio>
#include <omp.h>
#include <string>
#include <vector>

static std::atomic<long> alive{0}, wrong{0};

struct Object {
  std::string text;
  Object *self;
  Object() : self(this) { alive++; }
  explicit Object(int i) : text("object number " + std::to_string(i) + " with a text of its own"), self(this) { alive++; }
  Object(const Object &other) : text(other.text), self(this) { alive++; }
  Object &operator=(const Object &other)
  {
    text = other.text;
    return *this;
  }
  ~Object()
  {
    wrong += self != this;
    self = nullptr;
    alive--;
  }
  bool is(int i) const { return self == this && text == "object number " + std::to_string(i) + " with a text of its own"; }
};

static void tasks()
{
  for (int i = 0; i < 50; i++) {
    Object object(i);
#pragma omp task firstprivate(object)
    wrong += !object.is(i);
#pragma omp task firstprivate(object) untied
    { /* Clang 14 keeps only plain variables across parts: an object would end with the first part */
#pragma omp taskyield
      wrong += !object.is(i);
    }
#pragma omp task firstprivate(object) if (i % 2)
    wrong += !object.is(i);
#pragma omp task firstprivate(object) final(i % 3 == 0)
    {
#pragma omp task firstprivate(object)
      wrong += !object.is(i);
    }
  }
#pragma omp taskwait
}

static void loops()
{
  Object object(7), last;
  std::vector<int> numbers(100, 3);
#pragma omp taskloop firstprivate(object, numbers) lastprivate(last) num_tasks(12)
  for (int i = 0; i < 100; i++) {
    wrong += !object.is(7) || numbers.size() != 100 || numbers[i] != 3;
    last.text = "object number " + std::to_string(i) + " with a text of its own";
  }
  wrong += !last.is(99);
}

static void cancelled()
{
#pragma omp taskgroup
  {
    Object object(3);
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
#pragma omp taskwait
    for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(object)
      wrong += 1;
#pragma omp task firstprivate(object) untied
      wrong += 1;
    }
  }
#pragma omp taskgroup
  {
    Object object(4);
    for (int i = 0; i < 60; i++) {
#pragma omp task firstprivate(object)
      {
        wrong += !object.is(4);
        if (i == 20) {
#pragma omp cancel taskgroup
        }
      }
    }
  }
}

int main()
{
  for (int r = 0; r < 30; r++) {
#pragma omp parallel num_threads(1 + r % 4)
    {
#pragma omp single
      tasks();
#pragma omp single
      loops();
#pragma omp single
      {
#pragma omp task
        cancelled();
      }
    }
  }
  if (alive == 0 && wrong == 0)
    return 0;
  std::printf("alive %ld wrong %ld\n", alive.load(), wrong.load());
  return 1;
}
