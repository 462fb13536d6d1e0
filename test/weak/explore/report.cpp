/* Prints the fault of a run, with its graph.  */
#include "explore.h"

#include <cstdio>
#include <unistd.h>

std::map<std::string, unsigned long> outcomes;

static void print_graph()
{
  static const char *kinds[] = {"read ", "write"};
  std::map<uint64_t, int> names;
  for (const Line &line : graph.lines)
    names.insert({line.key, (int)names.size()});
  for (unsigned t = 0; t < model.threads; t++) {
    printf("thread %u%s\n", t, threads[t].state == BLOCKED ? " (waits for ever)" : "");
    for (unsigned i = 0; i < graph.thread[t].size(); i++) {
      const Event &e = graph.thread[t][i];
      printf("  %u.%-3u %s%s L%-3d %-12llx ", t, i, kinds[e.write], e.exclusive ? "*" : " ",
             names[e.key], (unsigned long long)e.value);
      if (!e.write && e.from.is_first())
        printf("from the start ");
      else if (!e.write)
        printf("from %d.%-3d     ", e.from.thread, e.from.index);
      else
        printf("               ");
      puts(e.site < site_names.size() ? site_names[e.site].c_str() : "");
    }
  }
}

void report(const std::string &what)
{
  printf("FAULT %s (after %lu executions)\n", what.c_str(), complete + blocked);
  print_graph();
  fflush(stdout);
  _exit(1);
}

void give_up(const char *what)
{
  printf("CANNOT TELL: %s\n", what);
  fflush(stdout);
  _exit(2);
}
