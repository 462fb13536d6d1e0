/* Explores every execution of a model that RC11 allows, except those in which a read and a write
   cause each other (load buffering).  See ../README.md for the method and its limits.

   usage: explore MODEL.so [--weaken SITE=ORDER] [--sites FILE] [--most GRAPHS] [--covered]
   ORDER: relaxed, acquire, release, acq_rel.  Exit status 0: no fault; 1: a fault, which is
   printed; 2: could not tell.  */
#include "explore.h"

#include <cstdio>
#include <fstream>

std::vector<int> weakened;
std::vector<std::string> site_names;
std::set<unsigned> covered;

/* One line for each site: number, a tab, its name.  */
static void read_sites(const char *path)
{
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    size_t tab = line.find('\t');
    size_t n = std::stoul(line.substr(0, tab));
    if (site_names.size() <= n)
      site_names.resize(n + 1);
    site_names[n] = line.substr(tab + 1);
  }
}

static void weaken(const std::string &what)
{
  static const char *names[] = {"relaxed", "acquire", "release", "acq_rel"};
  size_t equals = what.find('='), site = std::stoul(what);
  weakened.resize(site + 1, -1);
  for (int o = 0; o < 4; o++)
    if (what.substr(equals + 1) == names[o])
      weakened[site] = o;
}

int main(int count, char **words)
{
  bool says_covered = false;
  for (int i = 2; i < count; i++) {
    std::string word = words[i];
    if (word == "--weaken" && i + 1 < count)
      weaken(words[++i]);
    else if (word == "--sites" && i + 1 < count)
      read_sites(words[++i]);
    else if (word == "--most" && i + 1 < count)
      most_graphs = std::stoul(words[++i]);
    else if (word == "--covered")
      says_covered = true;
    else
      give_up("usage: explore MODEL.so [--weaken SITE=ORDER] [--sites FILE] [--most GRAPHS] [--covered]");
  }
  if (count < 2)
    give_up("which model?");
  load(words[1]);
  set_up();
  explore();
  for (const auto &[what, times] : outcomes)
    printf("OUTCOME %s\n", what.c_str());
  for (unsigned site : covered)
    if (says_covered)
      printf("COVERED %u\n", site);
  if (bound_hit)
    give_up("more executions than --most");
  printf("%lu executions, %lu waiting, %lu not consistent\n", complete, blocked, inconsistent);
  return 0;
}
