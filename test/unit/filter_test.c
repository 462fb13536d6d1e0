/* Whose a filter of system calls is: nobody's, a container's, whose manager has privileges, or that of a sandbox, which gave them up.
   A name that is given under a filter is the thread's.
   storey: machine */
#include "machine/filter.h"
#include "machine/thread.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_TRY = 77 };

/* One that refuses nothing.  */
static bool install(void)
{
  struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {1, code};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

static int has_name(const char *expected)
{
  char name[GHCOMP_THREAD_NAME], seen[GHCOMP_THREAD_NAME] = "";
  ghcomp_machine_set_thread_name(expected);
  ghcomp_machine_get_thread_name(name);
  prctl(PR_GET_NAME, seen);
  return strcmp(name, expected) == 0 && strcmp(seen, expected) == 0;
}

/* Each in a process of its own, because a filter stays.  */
static int in_child(bool filtered, bool gives_up, enum filter expected)
{
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    if (gives_up && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
      _exit(CANNOT_TRY);
    if (filtered && !install())
      _exit(CANNOT_TRY);
    _exit(ghcomp_machine_filter() == expected && has_name("first name") && has_name("second") ? 0 : 1);
  }
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_TRY)
    return 0; /* the test itself runs under a filter, or without privileges */
  return status == 0 ? 0 : printf("filter %d, gives up %d: status %x\n", filtered, gives_up, (unsigned)status);
}

int main(void)
{
  bool is_free = ghcomp_machine_filter() == FILTER_NONE;
  int bad = in_child(true, true, FILTER_OF_SANDBOX);
  if (is_free) {
    bad |= in_child(false, false, FILTER_NONE);
    bad |= in_child(false, true, FILTER_NONE);
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
      bad |= in_child(true, false, FILTER_OF_CONTAINER);
  }
  return bad != 0;
}
