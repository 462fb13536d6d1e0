/* The service's client.  Before it sends the first request, it draws all requests and their times from a seed.  A
   request's latency begins when the request is due, and ends when its answer has arrived.  So a service that falls behind
   does not get fewer requests.  First a closed loop measures how many requests a second the service can answer.  Then
   requests come at random (with exponential gaps) at 30, 70 and 90 % of that rate.  Every answer is verified.

   The client sleeps until a request is due or an answer arrives, and prints its own processor time.

   usage: service_load PORT [requests=N] [kinds=N] [seed=N] [capacity=N]
     requests   of each load (2000)
     kinds      3: pure work, regions, and matrix products; 2: no products; 1: pure work only
     capacity   the requests a second that count as 100 %; 0: the rate of the closed loop
   DEMO_SAMPLES: the file that gets a line of numbers for each row, in microseconds */
#define _GNU_SOURCE
#include "service.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
  CLOSED = 8,      /* connections of the closed loop */
  CONNECTIONS = 64, /* for the loads; a request that finds none free waits here, and its latency has begun */
  PATIENCE_MS = 60000,
};

static const char *const kinds[] = {"pure", "kernel", "product"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static long expected[KINDS][SEEDS];
static long requests = 2000, asked_kinds = KINDS, seed = 1, capacity;

static struct connection {
  int fd;
  long request;      /* that the connection waits for */
  size_t got;
  char answer[512];
} connections[CONNECTIONS];

/* A load: when each request was due, sent and answered, in nanoseconds from its start.  */
struct load {
  long count, next, answered;
  int64_t start, *due, *sent, *end;
  uint64_t stream;   /* selects the random numbers for the requests */
  struct connection *idle[CONNECTIONS];
  int idles;
};

static int poller, timer;

static _Noreturn void fail(const char *what, ...)
{
  va_list list;
  va_start(list, what);
  fputs("service_load: ", stderr);
  vfprintf(stderr, what, list);
  va_end(list);
  fputc('\n', stderr);
  exit(1);
}

static int64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ------------------------------------------------------------------- right answers */

static long pure_answer(long s)
{
  uint64_t sums[PURE_KEYS] = {0}, hash = 0;
  bool there[PURE_KEYS] = {false};
  for (uint64_t i = 0; i < PURE_STEPS; i++) {
    uint64_t key = service_mix((uint64_t)s * PURE_STEPS + i) % PURE_KEYS;
    sums[key] += i;
    there[key] = true;
  }
  for (int key = 0; key < PURE_KEYS; key++)
    hash = there[key] ? hash * 31 + sums[key] : hash;
  return (long)hash;
}

static long kernel_answer(long s)
{
  uint64_t sum = 0;
  for (long i = 0; i < KERNEL_STEPS; i++)
    sum += service_summand(s, i);
  return (long)sum;
}

/* The answer for seed 0; those for other seeds are multiples of it.  */
static long product_answer(void)
{
  enum { n = PRODUCT_SIZE };
  static double c[n * n];
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += service_left(i * n + k) * service_right(k * n + j);
  return service_checksum(c);
}

static void find_answers(void)
{
  long product = product_answer();
  for (long s = 0; s < SEEDS; s++) {
    expected[0][s] = pure_answer(s);
    expected[1][s] = kernel_answer(s);
    expected[2][s] = product * (s + 1);
  }
}

/* --------------------------------------------------------------------- connections */

static void open_connections(int port)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  poller = epoll_create1(0);
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct epoll_event tick = {.events = EPOLLIN, .data.ptr = NULL};
  if (poller < 0 || timer < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, timer, &tick) != 0)
    fail("cannot wait: %s", strerror(errno));
  for (int i = 0; i < CONNECTIONS; i++) {
    struct connection *c = &connections[i];
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    int one = 1;
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0 ||
        epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event) != 0)
      fail("cannot connect to port %d: %s", port, strerror(errno));
  }
}

static uint64_t drawn(const struct load *load, long request)
{
  return service_mix(service_mix(load->stream) + (uint64_t)request);
}

struct question {
  int kind, seed;
};

static struct question question_of(const struct load *load, long request)
{
  uint64_t which = drawn(load, request), some = (uint64_t)asked_kinds;
  return (struct question){(int)(which % some), (int)(which / some % SEEDS)};
}

static void ask(struct load *load, struct connection *c, long request)
{
  char text[128];
  struct question q = question_of(load, request);
  int length = snprintf(text, sizeof text, "GET /%s/%d HTTP/1.1\r\nHost: localhost\r\n\r\n", kinds[q.kind], q.seed);
  c->request = request;
  c->got = 0;
  load->sent[request] = now_ns() - load->start;
  if (send(c->fd, text, (size_t)length, MSG_NOSIGNAL) != length)
    fail("cannot ask: %s", strerror(errno));
}

/* The body of a complete answer; NULL: the answer is not complete.  */
static const char *body_of(const char *answer)
{
  const char *end = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "\r\nContent-Length:");
  if (end == NULL)
    return NULL;
  if (strncmp(answer, "HTTP/1.1 200 ", 13) != 0 || length == NULL || length > end)
    fail("the service answered '%.*s'", (int)strcspn(answer, "\r"), answer);
  return strlen(end + 4) >= strtoul(length + 17, NULL, 10) ? end + 4 : NULL;
}

static void verify(const struct load *load, long request, const char *body)
{
  struct question q = question_of(load, request);
  char *end;
  long found = strtol(body, &end, 10);
  if (end == body || *end != '\0' || found != expected[q.kind][q.seed])
    fail("wrong: /%s/%d is %ld, the service answered '%s'", kinds[q.kind], q.seed, expected[q.kind][q.seed], body);
}

static void receive(struct load *load, struct connection *c)
{
  ssize_t more = read(c->fd, c->answer + c->got, sizeof c->answer - 1 - c->got);
  if (more <= 0 || c->request < 0)
    fail("the service %s", more > 0 ? "answered more than was asked" : "closed a connection");
  c->got += (size_t)more;
  c->answer[c->got] = '\0';
  const char *body = body_of(c->answer);
  if (body == NULL)
    return;
  load->end[c->request] = now_ns() - load->start;
  verify(load, c->request, body);
  c->request = -1;
  load->answered++;
  load->idle[load->idles++] = c;
}

/* ----------------------------------------------------------------------- the loads */

static void send_what_is_due(struct load *load)
{
  while (load->next < load->count && load->idles > 0 && load->start + load->due[load->next] <= now_ns())
    ask(load, load->idle[--load->idles], load->next++);
  if (load->next == load->count || load->idles == 0)
    return;
  int64_t at = load->start + load->due[load->next];
  struct itimerspec when = {.it_value = {.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000}};
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) != 0)
    fail("cannot set the timer: %s", strerror(errno));
}

static void wait_for_something(struct load *load)
{
  struct epoll_event events[CONNECTIONS + 1];
  int count = epoll_wait(poller, events, CONNECTIONS + 1, PATIENCE_MS);
  if (count == 0)
    fail("no answer for %d s to %ld of %ld requests", PATIENCE_MS / 1000, load->next - load->answered, load->count);
  for (int i = 0; i < count; i++) {
    uint64_t ticks;
    if (events[i].data.ptr != NULL)
      receive(load, events[i].data.ptr);
    else if (read(timer, &ticks, sizeof ticks) != sizeof ticks)
      fail("cannot read the timer: %s", strerror(errno));
  }
}

/* Sends all requests on the first `most` connections.  `gap_ns` is the mean gap between them.  0: all are due at once, so each
   connection sends the next request as soon as it has an answer.  */
static void run(struct load *load, int most, double gap_ns)
{
  double at = 0;
  for (long i = 0; i < load->count; i++) {
    double u = (double)(service_mix(drawn(load, i)) >> 11) * 0x1p-53; /* in [0, 1) */
    at -= gap_ns * log1p(-u);
    load->due[i] = (int64_t)at;
  }
  load->next = load->answered = load->idles = 0;
  for (int i = 0; i < most; i++) {
    connections[i].request = -1;
    load->idle[load->idles++] = &connections[i];
  }
  load->start = now_ns();
  while (load->answered < load->count) {
    send_what_is_due(load);
    if (load->answered < load->count)
      wait_for_something(load);
  }
}

static struct load make_load(long count, uint64_t stream)
{
  struct load load = {.count = count, .stream = stream};
  load.due = calloc((size_t)count, sizeof *load.due);
  load.sent = calloc((size_t)count, sizeof *load.sent);
  load.end = calloc((size_t)count, sizeof *load.end);
  if (load.due == NULL || load.sent == NULL || load.end == NULL)
    fail("out of memory");
  return load;
}

static void end_load(struct load *load)
{
  free(load->due);
  free(load->sent);
  free(load->end);
}

/* -------------------------------------------------------------------------- output */

static void row(const char *name, double value)
{
  const char *path = getenv("DEMO_SAMPLES");
  FILE *file = path != NULL ? fopen(path, "a") : NULL;
  if (path != NULL && (file == NULL || fprintf(file, "%s: %.3f\n", name, value) < 0 || fclose(file) != 0))
    fail("cannot write %s: %s", path, strerror(errno));
}

static int ascending(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static double microseconds(const int64_t *sorted, long count, double part)
{
  long rank = (long)ceil(part * (double)count);
  return (double)sorted[rank < 1 ? 0 : rank - 1] * 1e-3;
}

static double processor_us(void)
{
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Turns `end` into the latency of each request, and `sent` into how late it was sent.  */
static void report(int percent, struct load *load, double own_us)
{
  long n = load->count;
  for (long i = 0; i < n; i++) {
    load->end[i] -= load->due[i];
    load->sent[i] -= load->due[i];
  }
  qsort(load->end, (size_t)n, sizeof *load->end, ascending);
  qsort(load->sent, (size_t)n, sizeof *load->sent, ascending);
  const struct { const char *name; double value; } rows[] = {
      {"p50", microseconds(load->end, n, 0.5)}, {"p99", microseconds(load->end, n, 0.99)},
      {"max", microseconds(load->end, n, 1)}, {"sent late, p99", microseconds(load->sent, n, 0.99)},
      {"client, a request", own_us / (double)n}, {"answers verified", (double)n}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char name[64];
    snprintf(name, sizeof name, "%d %% load, %s", percent, rows[i].name);
    row(name, rows[i].value);
  }
  printf("%4d %% %9ld %9.0f %9.0f %9.0f %9.0f %9.1f\n", percent, n, rows[0].value, rows[1].value, rows[2].value,
         rows[3].value, rows[4].value);
  fflush(stdout);
}

/* Nanoseconds for each answer while eight requests are always under way.  */
static double closed_loop(long count, uint64_t stream)
{
  struct load load = make_load(count, stream);
  run(&load, CLOSED, 0);
  int64_t last = 0;
  for (long i = 0; i < count; i++)
    last = load.end[i] > last ? load.end[i] : last;
  end_load(&load);
  return (double)last / (double)count;
}

static void open_load(int percent, double gap_ns)
{
  struct load load = make_load(requests, (uint64_t)(seed * 1000 + percent));
  double before = processor_us();
  run(&load, CONNECTIONS, gap_ns * 100 / percent);
  report(percent, &load, processor_us() - before);
  end_load(&load);
}

static void read_arguments(int argc, char **argv)
{
  static const struct { const char *name; long *value, least, most; } known[] = {
      {"requests", &requests, 1, 10000000}, {"kinds", &asked_kinds, 1, KINDS}, {"seed", &seed, 0, LONG_MAX / 1000 - 1},
      {"capacity", &capacity, 0, 100000000}};
  for (int i = 2; i < argc; i++) {
    char *equals = strchr(argv[i], '='), *end = NULL;
    bool good = false;
    for (size_t k = 0; k < sizeof known / sizeof *known && equals != NULL; k++)
      if (strlen(known[k].name) == (size_t)(equals - argv[i]) && strncmp(argv[i], known[k].name, strlen(known[k].name)) == 0) {
        *known[k].value = strtol(equals + 1, &end, 10);
        good = end != equals + 1 && *end == '\0' && *known[k].value >= known[k].least && *known[k].value <= known[k].most;
      }
    if (!good)
      fail("'%s': expected requests=N, kinds=1, 2 or 3, seed=N or capacity=N", argv[i]);
  }
}

int main(int argc, char **argv)
{
  static const int percents[] = {30, 70, 90};
  int port = argc > 1 ? atoi(argv[1]) : 0;
  if (port < 1 || port > 65535)
    fail("usage: service_load PORT [requests=N] [kinds=N] [seed=N] [capacity=N]");
  read_arguments(argc, argv);
  find_answers();
  open_connections(port);
  closed_loop(requests / 4 + 1, (uint64_t)(seed * 1000)); /* warms up */
  double each = closed_loop(requests, (uint64_t)(seed * 1000 + 1));
  row("closed loop, a request", each * 1e-3);
  printf("closed loop: %.0f requests a second\n", 1e9 / each);
  if (capacity > 0)
    printf("100 %% is %ld requests a second\n", capacity);
  puts("  load  requests       p50       p99       max sent late  own time   (us; p99 of how late, own time of a request)");
  for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
    open_load(percents[i], capacity > 0 ? 1e9 / (double)capacity : each);
  return 0;
}
