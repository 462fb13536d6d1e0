/* Damaged files of the kernel's for the runtime's readers of quotas and topology: a container may mount its own in their place.
   kernel_files SECONDS SEED: writes them below the present folder, again and again; prints how many sets were read.
   kernel_files: reads those that are there.  */
#include "machine/processors.h"

#include "damage.h"

#include <sys/stat.h>

static const char *const folders[] = {"g", "cpu,cpuacct", "cpu", "cpu/cpu0", "cpu/cpu0/topology", "cpu/cpu0/cache",
                                      "cpu/cpu0/cache/index0", "node", "node/node0"};
static const char *const files[] = {"member", "cpu.max", "g/cpu.max", "cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us",
                                    "cpu/cpu0/topology/core_cpus_list", "cpu/cpu0/topology/package_cpus_list",
                                    "cpu/cpu0/topology/thread_siblings_list", "cpu/cpu0/cache/index0/level",
                                    "cpu/cpu0/cache/index0/shared_cpu_list", "node/node0/cpulist", "node/online"};
static const char *const words[] = {"0::", "/", "4:cpu,cpuacct:", ":", ",", "cpu", "max", "100000", " ", "\n", "-1",
                                    "9223372036854775807", "9223372036854775808", "0-3", "0-", "-", "..", "/../..", "1", "0",
                                    "4294967296", "%n", "\xff", "cpuset", "g", "18446744073709551615"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void write_file(const char *path)
{
  FILE *file = fopen(path, "w");
  must(file != NULL, path);
  for (unsigned n = next_random() % 12; n > 0; n--) {
    const char *word = words[next_random() % COUNT(words)];
    for (unsigned times = next_random() % 40 == 0 ? next_random() % 3000 : 1; times > 0; times--)
      fputs(word, file);
    if (next_random() % 30 == 0)
      fputc((int)(next_random() % 256), file);
  }
  fclose(file);
}

static void read_all(void)
{
  struct processor_set set;
  ghcomp_machine_quota_in("member", ".");
  for (int what = SHARE_CORE; what <= SHARE_SOCKET; what++)
    ghcomp_topology_sharers(".", what, 0);
  ghcomp_topology_nodes(".");
  ghcomp_topology_of_node(".", 0, &set);
}

int main(int argc, char **argv)
{
  unsigned long count = 0;
  for (unsigned i = 0; i < COUNT(folders) && argc == 3; i++)
    mkdir(folders[i], 0700);
  time_t end = argc == 3 ? time(NULL) + atoi(argv[1]) : 0;
  for (seed_random(argc == 3 ? argv[2] : "0"); argc == 3 && time(NULL) < end; count++) {
    for (unsigned i = 0; i < COUNT(files); i++)
      write_file(files[i]);
    read_all();
  }
  read_all();
  printf("%lu\n", count);
  return 0;
}
