/* usage: ends THREADS     all but one end with a value for a key, half of them by pthread_exit.  The key's destructor gives a value to
   another key.  After they have been joined: how often the destructors of the two keys were called; how often that of a key that was
   deleted; how often one of the three got another thread's value */
#include "together.h"

static pthread_key_t first, second, deleted;
static int calls[3], of_others;
static char values[MOST_THREADS];
static __thread long number;

static void count(int which, const char *value)
{
  calls[which]++;
  of_others += value != &values[number];
}

static void destroy_first(void *value)
{
  count(0, value);
  scale_work(1000);
  pthread_setspecific(second, value);
}

static void destroy_second(void *value) { count(1, value); }
static void destroy_deleted(void *value) { count(2, value); }

static void *end_with_values(void *argument)
{
  number = (long)argument;
  wait_until(BEGIN);
  pthread_setspecific(first, &values[number]);
  pthread_setspecific(deleted, &values[number]);
  if (number % 2 != 0)
    pthread_exit(argument);
  return argument;
}

int main(int count, char **arguments)
{
  if (pthread_key_create(&second, destroy_second) != 0 || pthread_key_create(&deleted, destroy_deleted) != 0 ||
      pthread_key_create(&first, destroy_first) != 0 || pthread_key_delete(deleted) != 0)
    return 1;
  run_together(count > 1 ? atoi(arguments[1]) : 2, end_with_values);
  printf("%d %d %d %d\n", calls[0], calls[1], calls[2], of_others);
  return 0;
}
