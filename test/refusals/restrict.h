/* Takes something away from the calling process, as sandboxes, containers and batch systems do.  A text says what, words with
   commas between them:
     call=NUMBER:WHAT   a filter refuses this system call: an error's number, or "kill"
     as=MB data=KB stack=KB nofile=N memlock=KB nproc=N    a limit, soft and hard
     pids=N             into a new control group that may have so many threads; its name ends with this process's number
     user=N             this user, whom limits concern
     lock               all future pages are locked  */
#ifndef RESTRICT_H
#define RESTRICT_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RESTRICT_FAILED = 77 }; /* the exit status if the system does not let us */

static int restrict_call(const char *text)
{
  char *what;
  unsigned number = (unsigned)strtoul(text, &what, 10);
  unsigned action = strcmp(what, ":kill") == 0 ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | (unsigned)atoi(what + 1);
  struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                               BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, action),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  return *what == ':' && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

static int put(const char *folder, const char *file, const char *text)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  int opened = open(path, O_WRONLY | O_CLOEXEC);
  int ok = opened >= 0 && write(opened, text, strlen(text)) == (ssize_t)strlen(text);
  if (opened >= 0)
    close(opened);
  return ok;
}

static int restrict_pids(const char *most)
{
  static const char *const roots[] = {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"}; /* version 1, version 2 */
  for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++) {
    char folder[256];
    snprintf(folder, sizeof folder, "%s/ghc-openmp-refusals-%d", roots[i], (int)getpid());
    if (mkdir(folder, 0755) != 0)
      continue;
    if (put(folder, "pids.max", most) && put(folder, "cgroup.procs", "0"))
      return 1;
    rmdir(folder);
  }
  return 0;
}

static int restrict_limit(const char *name, const char *value)
{
  static const struct {
    const char *name;
    int resource, shift;
  } limits[] = {{"as", RLIMIT_AS, 20},      {"data", RLIMIT_DATA, 10},       {"stack", RLIMIT_STACK, 10},
                {"nofile", RLIMIT_NOFILE, 0}, {"memlock", RLIMIT_MEMLOCK, 10}, {"nproc", RLIMIT_NPROC, 0}};
  rlim_t most = strtoul(value, NULL, 10);
  for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
    if (strcmp(name, limits[i].name) == 0)
      return setrlimit(limits[i].resource, &(struct rlimit){most << limits[i].shift, most << limits[i].shift}) == 0;
  return 0;
}

static int restrict_by(const char *name, const char *value)
{
  if (strcmp(name, "lock") == 0)
    return mlockall(MCL_FUTURE) == 0;
  if (strcmp(name, "call") == 0)
    return restrict_call(value);
  if (strcmp(name, "pids") == 0)
    return restrict_pids(value);
  if (strcmp(name, "user") == 0)
    return setuid((uid_t)atoi(value)) == 0;
  return restrict_limit(name, value);
}

/* NULL: nothing.  */
static void restrict_process(const char *text)
{
  char words[1024], *rest = words;
  snprintf(words, sizeof words, "%s", text != NULL ? text : "");
  for (char *word; (word = strsep(&rest, ",")) != NULL;) {
    char *value = word, *name = strsep(&value, "=");
    if (*name != '\0' && !restrict_by(name, value != NULL ? value : ""))
      _exit(RESTRICT_FAILED);
  }
}

#endif
