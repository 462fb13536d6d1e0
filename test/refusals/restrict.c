/* restrict TEXT PROGRAM...          restricts itself (restrict.h), then becomes the program
   restrict --record PROGRAM...      the numbers of the system calls that the program and its threads make, on descriptor 3  */
#include "restrict.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/wait.h>

enum { MOST = 1024, REPORT = 3 };

/* The first thread's stack begins at a random place in its first page, and a limit counts whole pages.  Without that, a limit
   is the same one in each run.  A system that refuses this only makes findings harder to do again.  */
static void become(char **words)
{
  personality(ADDR_NO_RANDOMIZE);
  execv(words[0], words);
  perror(words[0]);
  _exit(127);
}

/* Each call waits for this process's answer, which lets it go on.  */
static int install_recorder(void)
{
  struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)};
  struct sock_fprog filter = {1, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

static void record_calls(int listener, char seen[MOST])
{
  for (;;) {
    struct pollfd ready = {listener, POLLIN, 0};
    struct seccomp_notif call = {0};
    if (poll(&ready, 1, -1) < 0 || (ready.revents & POLLHUP) != 0)
      return; /* nobody is left */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
      continue; /* killed meanwhile */
    if (call.data.nr >= 0 && call.data.nr < MOST)
      seen[call.data.nr] = 1;
    struct seccomp_notif_resp answer = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
}

/* The child's descriptors are this process's until it becomes the program, so that the filter's one arrives here.  */
static int record(char **words)
{
  static char seen[MOST];
  _Atomic int *listener = mmap(NULL, sizeof *listener, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int status;
  atomic_store(listener, -2);
  pid_t child = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    atomic_store(listener, install_recorder()); /* from here on calls wait */
    become(words);
  }
  while (atomic_load(listener) == -2)
    sched_yield();
  if (atomic_load(listener) < 0)
    return RESTRICT_FAILED;
  record_calls(atomic_load(listener), seen);
  for (int i = 0; i < MOST; i++)
    if (seen[i])
      dprintf(REPORT, "%d\n", i);
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
  if (argc < 3)
    return fprintf(stderr, "usage: restrict TEXT|--record PROGRAM...\n"), 2;
  if (strcmp(argv[1], "--record") == 0)
    return record(argv + 2);
  restrict_process(argv[1]);
  become(argv + 2);
}
