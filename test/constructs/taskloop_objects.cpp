/* C++ objects in taskloops that several threads execute: each task has a copy of its own, of an object that is alive, and each copy is
   destroyed once: also with nogroup, where the object may end before the tasks do, and in cancelled loops.  lastprivate changes
   nothing before all tasks have their copies for firstprivate, and one thread makes them
   (5.2, 5.4.4, 5.4.5, 11.3, 12.6).
   env: OMP_CANCELLATION=true */
#include <atomic>
#include <cstdio>
#include <omp.h>
#include <pthread.h>
#include <string>

static std::atomic<long> alive{0}, wrong{0}, bodies{0};

struct Object {
  std::string text;
  const Object *self;
  Object() : self(this) { alive++; }
  explicit Object(int i) : text(name(i)), self(this) { alive++; }
  Object(const Object &other) : text(other.text), self(this)
  {
    wrong += other.self != &other;
    alive++;
  }
  Object &operator=(const Object &other)
  {
    wrong += other.self != &other;
    text = other.text;
    return *this;
  }
  ~Object()
  {
    wrong += self != this;
    self = nullptr;
    alive--;
  }
  static std::string name(int i) { return "object number " + std::to_string(i) + " with a text of its own"; }
  bool is(int i) const { return self == this && text == name(i); }
};

static void one_task_each(int n)
{
  Object object(n), last;
  long before = bodies;
#pragma omp taskloop firstprivate(object) lastprivate(last) num_tasks(n)
  for (int i = 0; i < n; i++) {
    bodies++;
    wrong += !object.is(n);
    object.text += "which changes"; /* no other task sees it */
    last.text = Object::name(i);
  }
  wrong += bodies != before + n || (n != 0 && !last.is(n - 1));
}

static void large_tasks(int n)
{
  Object object(n);
  long before = bodies;
#pragma omp taskloop firstprivate(object) grainsize(5)
  for (int i = n; i > 0; i--) {
    bodies++;
    wrong += !object.is(n);
  }
  wrong += bodies != before + n;
}

/* The objects end before the group does.  */
static void without_group(int n)
{
  long before = bodies;
#pragma omp taskgroup
  for (int loop = 0; loop < 3; loop++) {
    Object object(loop);
#pragma omp taskloop firstprivate(object, loop) num_tasks(n) nogroup
    for (int i = 0; i < n; i++) {
      bodies++;
      wrong += !object.is(loop);
    }
  }
  wrong += bodies != before + 3 * n;
}

/* GCC's code destroys a copy in the task, so tasks that have one may run.  */
static void cancelled(int n)
{
  Object object(n);
#pragma omp taskloop firstprivate(object) grainsize(1)
  for (int i = 0; i < n; i++) {
    wrong += !object.is(n);
    if (i % 7 == 3) {
#pragma omp cancel taskgroup
    }
  }
}

/* A thread that has cancelled the group begins no task of it.  */
static void cancelled_without_objects(int n)
{
  static thread_local int cancels;
  static int number;
  int own = ++number;
#pragma omp taskloop firstprivate(own) grainsize(1)
  for (int i = 0; i < n; i++) {
    wrong += cancels == own;
    if (i % 7 == 3) {
      cancels = own;
#pragma omp cancel taskgroup
    }
  }
}

/* Its copies are made by one thread, which need not lock anything.  */
struct Counted {
  int value, *copies;
  pthread_t owner;
  Counted(int value, int *copies) : value(value), copies(copies), owner(pthread_self()) {}
  Counted(const Counted &other) : value(other.value), copies(other.copies), owner(other.owner)
  {
    wrong += !pthread_equal(owner, pthread_self());
    ++*copies;
  }
};

/* The last task is short, and the others have to be copied after it.  */
static void first_and_last(int n)
{
  int copies = 0, number = n, numbers[3] = {n, n + 1, n + 2};
  Object object(n);
  Counted counted(n, &copies);
#ifdef __clang__ /* of a variable in both clauses Clang 14 leaves open which task is the last; with libomp it gets no value, either */
#pragma omp taskloop firstprivate(object, number, numbers, counted) num_tasks(n)
#else
#pragma omp taskloop firstprivate(object, number, numbers, counted) lastprivate(object, number, numbers) num_tasks(n)
#endif
  for (int i = 0; i < n; i++) {
    wrong += !object.is(n) || number != n || numbers[0] != n || numbers[2] != n + 2 || counted.value != n;
    if (i < n - 1)
      for (int k = 0; k < 200; k++)
        bodies++;
    object.text = Object::name(i + 7);
    number = numbers[0] = numbers[2] = -i;
  }
  wrong += copies < n;
#ifndef __clang__
  wrong += !object.is(n + 6) || number != 1 - n || numbers[0] != 1 - n || numbers[1] != n + 1;
#endif
}

int main()
{
  for (int r = 0; r < 60; r++) {
#pragma omp parallel num_threads(1 + r % 8)
#pragma omp single
    {
      for (int n = 0; n < 5; n++)
        one_task_each(n);
      one_task_each(200);
      large_tasks(3);
      large_tasks(157);
      without_group(1);
      without_group(2);
      without_group(90);
      cancelled(300);
      cancelled_without_objects(300);
      for (int n = 2; n < 40; n += 5)
        first_and_last(n);
    }
  }
  if (alive == 0 && wrong == 0)
    return 0;
  std::printf("alive %ld wrong %ld\n", alive.load(), wrong.load());
  return 1;
}
