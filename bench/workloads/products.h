/* Products of two matrices by a BLAS with OpenMP threads, each compared with the exact product.  */
#pragma once

/* Loads OpenBLAS (or BLIS) and computes the exact product; ends the program with a message if there is no library.  */
void products_begin(long blis);

/* Memory for a thread's products, which the caller frees.  Ends the program if there is none.  */
void *products_make(void);

/* Overwrites the earlier product.  */
void products_spoil(void *result);
void products_multiply(void *result);
int products_is_right(const void *result);
