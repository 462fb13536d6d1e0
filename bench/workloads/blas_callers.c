/* Threads call a BLAS at the same time; each call is an OpenMP region.

   usage: blas_callers WORKERS callers=N products=N blis=0|1     prints rows in milliseconds */
#include "calls.h"
#include "keys.h"
#include "products.h"

int main(int argc, char **argv)
{
  static const struct calls products = {"product", products_make, products_spoil, products_multiply, products_is_right};
  long workers, callers = 0, count = 0, blis = 0;
  const struct key keys[] = {{"callers", &callers}, {"products", &count}, {"blis", &blis}};
  if (!keys_read(keys, 3, argc, argv, &workers))
    return 2;
  calls_check(&products, callers, count);
  products_begin(blis);
  calls_measure(&products, callers, count);
  return 0;
}
