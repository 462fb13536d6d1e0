/* Several threads of a program call a BLAS: prints the time for all products, and whether they are right.
   usage: blas [CALLERS [PRODUCTS]]    (links with any CBLAS: gcc -O2 -pthread blas.c -lopenblas) */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SIZE 256
#define MOST_CALLERS 64

enum { ROW_MAJOR = 101, AS_IT_IS = 111 };

extern void cblas_dgemm(int order, int a_as, int b_as, int m, int n, int k, double alpha, const double *a, int a_row,
                        const double *b, int b_row, double beta, double *c, int c_row);

static int products_each;

static double *matrix(int modulus)
{
  double *elements = malloc(sizeof(double) * SIZE * SIZE);
  if (elements == NULL) {
    fputs("blas: out of memory\n", stderr);
    exit(1);
  }
  for (int i = 0; i < SIZE * SIZE; i++)
    elements[i] = modulus != 0 ? i % modulus : 0;
  return elements;
}

/* Computes one element of each row again.  The elements are small whole numbers, so sums are exact.  */
static bool is_right(const double *a, const double *b, const double *c)
{
  for (int i = 0; i < SIZE; i++) {
    int j = (i * 7) % SIZE;
    double sum = 0;
    for (int k = 0; k < SIZE; k++)
      sum += a[i * SIZE + k] * b[k * SIZE + j];
    if (c[i * SIZE + j] != sum)
      return false;
  }
  return true;
}

static void *caller(void *wrong)
{
  double *a = matrix(7), *b = matrix(5), *c = matrix(0);
  for (int i = 0; i < products_each; i++)
    cblas_dgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, SIZE, SIZE, SIZE, 1, a, SIZE, b, SIZE, 0, c, SIZE);
  *(bool *)wrong = products_each > 0 && !is_right(a, b, c);
  free(a);
  free(b);
  free(c);
  return NULL;
}

static double milliseconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* A number of the command line, or its default; an argument that is no number ends the program.  */
static int number(int count, char **words, int at, int usual, int most)
{
  char *end;
  if (count <= at)
    return usual;
  long value = strtol(words[at], &end, 10);
  if (*words[at] == '\0' || *end != '\0' || value < 1 || value > most) {
    fprintf(stderr, "blas: '%s': expected a number from 1 to %d\n", words[at], most);
    exit(2);
  }
  return (int)value;
}

int main(int count, char **words)
{
  int callers = number(count, words, 1, 1, MOST_CALLERS), products = number(count, words, 2, 200, 1000000);
  pthread_t threads[MOST_CALLERS];
  bool wrong[MOST_CALLERS], any = false;
  products_each = (products + callers - 1) / callers;
  double began = milliseconds();
  for (int i = 0; i < callers; i++)
    if (pthread_create(&threads[i], NULL, caller, &wrong[i]) != 0) {
      fputs("blas: cannot start a thread\n", stderr);
      return 1;
    }
  for (int i = 0; i < callers; i++)
    pthread_join(threads[i], NULL);
  double took = milliseconds() - began;
  for (int i = 0; i < callers; i++)
    any |= wrong[i];
  printf("%d callers, %d products: %.0f ms, %s\n", callers, products_each * callers, took, any ? "WRONG" : "right");
  return any;
}
