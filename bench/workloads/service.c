/* Requests over sockets: each worker sends requests to one server, and waits for each answer.  The server is a plain
   thread or process, the same for every system.  It shows how the workers of a system block.  */
#include "../drivers/harness.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

struct message {
  uint64_t number, value;
};

static struct part {
  _Alignas(64) uint64_t sum;
} *part;
static long requests, work;
static int parts;
static int (*ends)[2]; /* the worker's end, and the server's */
static pthread_t server;

static uint64_t answer_to(uint64_t number)
{
  for (long i = 0; i < work; i++)
    number = harness_mix(number + 1);
  return number;
}

/* Answers until all requests are answered.  */
static void *serve(void *nothing)
{
  struct pollfd polled[MOST_WORKERS];
  for (int i = 0; i < parts; i++)
    polled[i] = (struct pollfd){.fd = ends[i][1], .events = POLLIN};
  for (long answered = 0; answered < requests;) {
    if (poll(polled, (nfds_t)parts, -1) < 0)
      harness_fail("the server cannot poll");
    for (int i = 0; i < parts; i++) {
      struct message m;
      if ((polled[i].revents & POLLIN) == 0)
        continue;
      if (read(polled[i].fd, &m, sizeof m) != sizeof m)
        harness_fail("the server cannot read a request");
      m.value = answer_to(m.number);
      if (write(polled[i].fd, &m, sizeof m) != sizeof m)
        harness_fail("the server cannot answer");
      answered++;
    }
  }
  return nothing;
}

static void setup(int workers)
{
  requests = harness_parameter("requests");
  work = harness_parameter("work");
  parts = workers;
  part = driver_shared(sizeof *part * (size_t)workers);
  ends = driver_shared(sizeof *ends * (size_t)workers);
  for (int i = 0; i < workers; i++)
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends[i]) != 0)
      harness_fail("cannot make a pair of sockets for worker %d", i);
  if (pthread_create(&server, NULL, serve, NULL) != 0)
    harness_fail("cannot start the server");
}

static void body(int worker, int workers)
{
  uint64_t sum = 0;
  for (long r = harness_bound(requests, worker, workers); r < harness_bound(requests, worker + 1, workers); r++) {
    struct message m = {.number = (uint64_t)r};
    if (write(ends[worker][0], &m, sizeof m) != sizeof m || read(ends[worker][0], &m, sizeof m) != sizeof m)
      harness_fail("worker %d has no answer to request %ld", worker, r);
    sum += m.value;
  }
  part[worker].sum = sum;
}

static void results(void)
{
  uint64_t sum = 0;
  pthread_join(server, NULL);
  for (int i = 0; i < parts; i++)
    sum += part[i].sum;
  harness_result("sum", sum);
}

static const char *const parameters[] = {"requests", "work", NULL};
const struct workload workload = {parameters, setup, body, results};
