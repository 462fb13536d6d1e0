/* ghcomp info PROGRAM: would the runtime serve the program, why, and how can that be checked?
   Executes nothing of the program.  */
#include "app/ghcomp.h"
#include "app/suit.h"
#include "machine/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *answer(const struct judgement *judgement)
{
  if (judgement->suit == SUIT_NOT)
    return "no";
  return judgement->certainty == SUIT_SURE ? "yes" : "if it comes to use an OpenMP runtime";
}

/* What a user types, and how to check that it took effect.  */
static void show_way(const char *name, const struct judgement *judgement)
{
  if (judgement->suit == SUIT_INSIDE) {
    static const char *const threads[] = {
      [RTS_NOT_SEEN] = "one each unless it is linked with -threaded, and has +RTS -N",
      [RTS_SINGLE] = "one each: it is not linked with -threaded",
      [RTS_THREADED] = "as many as it has Capabilities: +RTS -N",
    };
    printf("%-22s %s: start it as it is\n", "command", name);
    ghcomp_info_row("threads of its loops", threads[judgement->rts]);
    printf("%-22s GHCOMP_STATS=1 %s: it was served if \"regions\" is above 0\n", "check", name);
    return;
  }
  const char *program = judgement->is_library ? "PROGRAM" : name;
  printf("%-22s ghcomp run -- %s\n", judgement->is_library ? "by" : "command", program);
  if (judgement->is_library)
    ghcomp_info_row("", "where PROGRAM is the one that loads it");
  ghcomp_info_row("LD_LIBRARY_PATH alone", judgement->suit == SUIT_PATH ? "is enough" : "is not enough: use ghcomp run");
  printf("%-22s GHCOMP_STATS=1 ghcomp run -- %s: it was served if \"regions\" is above 0\n", "check", program);
}

int ghcomp_info_program(const char *name)
{
  struct judgement now, with;
  const char *library = ghcomp_library();
  char *path = ghcomp_demand_program(name, false);
  struct suit_file file;
  suit_read(path, &file);
  suit_judge(&file, library, false, &now);
  ghcomp_put_folder_in_front(library);
  suit_judge(&file, library, false, &with);
  char shown[2 * PATH_MAX];
  snprintf(shown, sizeof shown, "%s", name);
  ghcomp_machine_make_printable(shown, strlen(shown));
  ghcomp_machine_make_printable(path, strlen(path));
  ghcomp_info_row(now.is_library ? "library" : "program", path);
  ghcomp_info_row("served", answer(&with));
  ghcomp_info_row("reason", now.because);
  if (with.suit != SUIT_NOT)
    show_way(shown, &with);
  free(path);
  return with.suit == SUIT_NOT ? EXIT_UNSUITABLE : EXIT_SUCCESS;
}
