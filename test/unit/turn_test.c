/* storey: admission */
/* What a question gets.  The table is checked for all states, and is the one of the page.  */
#include "admission/decide.h"
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = 2 };

/* One row is for all states that it fits.  */
static const struct row {
  unsigned may_have_lock, waiting, probes; /* false, true, ANY */
  enum asker turn;
  bool any_turn;
  enum verdict verdict;
} rows[] = {
  {.may_have_lock = false, .any_turn = true, .waiting = ANY, .probes = ANY, .verdict = GO},
  {.may_have_lock = true, .turn = ASKS_FREE, .waiting = false, .probes = ANY, .verdict = TAKE},
  {.may_have_lock = true, .turn = ASKS_FREE, .waiting = true, .probes = ANY, .verdict = WAIT},
  {.may_have_lock = true, .turn = ASKS_HELD, .waiting = ANY, .probes = true, .verdict = GO},
  {.may_have_lock = true, .turn = ASKS_HELD, .waiting = ANY, .probes = false, .verdict = WAIT},
  {.may_have_lock = true, .turn = ASKS_OWN, .waiting = ANY, .probes = ANY, .verdict = KEEP},
  {.may_have_lock = true, .turn = ASKS_OWN_SPENT, .waiting = false, .probes = ANY, .verdict = KEEP},
  {.may_have_lock = true, .turn = ASKS_OWN_SPENT, .waiting = true, .probes = ANY, .verdict = WAIT},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static bool fits(const struct row *row, struct situation s)
{
  return row->may_have_lock == s.may_have_lock && (row->any_turn || row->turn == s.turn) &&
         (row->waiting == ANY || row->waiting == s.waiting) && (row->probes == ANY || row->probes == s.probes);
}

static void check_state(struct situation s)
{
  unsigned fitting = 0;
  for (const struct row *row = rows; row < rows + ROWS; row++)
    if (fits(row, s)) {
      fitting++;
      EXPECT_NUMBER(ghcomp_turn_decide(s), row->verdict);
    }
  EXPECT_NUMBER(fitting, 1);
}

static void questions(void)
{
  for (unsigned bits = 0; bits < 8; bits++)
    for (enum asker turn = ASKS_FREE; turn <= ASKS_OWN_SPENT; turn++)
      check_state((struct situation){
          .may_have_lock = bits & 1, .probes = bits & 2, .waiting = bits & 4, .turn = turn});
}

static void print_table(FILE *to)
{
  static const char *const yes_no[] = {"no", "yes", "either"};
  static const char *const turns[] = {"nobody", "another thread", "this thread", "this thread, its time is over"};
  static const char *const verdicts[] = {"goes", "takes the turn", "keeps the turn", "waits"};
  fprintf(to, "| the library may have a lock | its turn has | others wait | the question looks for the lock | the question |\n");
  fprintf(to, "|---|---|---|---|---|\n");
  for (const struct row *row = rows; row < rows + ROWS; row++)
    fprintf(to, "| %s | %s | %s | %s | %s |\n", yes_no[row->may_have_lock], row->any_turn ? "anybody" : turns[row->turn],
            yes_no[row->waiting], yes_no[row->probes], verdicts[row->verdict]);
}

/* The tests run in the root of the tree.  */
static void page_has_table(void)
{
  static char page[64 << 10];
  char *table;
  size_t size;
  FILE *memory = open_memstream(&table, &size), *file = fopen("runtime/admission/turns.md", "r");
  print_table(memory);
  fclose(memory);
  if (EXPECT(file != NULL)) {
    fread(page, 1, sizeof page - 1, file);
    fclose(file);
  }
  if (!EXPECT(strstr(page, table) != NULL))
    fputs(table, stdout);
  free(table);
}

int main(void)
{
  questions();
  page_has_table();
  return expect_result();
}
