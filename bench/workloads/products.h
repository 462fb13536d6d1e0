/* Products of two matrices by a BLAS with OpenMP threads, each compared with the exact one.  */
#pragma once

/* Loads OpenBLAS (or BLIS) and computes what is expected; ends the program with a message where it is not there.  */
void products_begin(long blis);

/* What a thread multiplies into; to be freed.  Ends the program where there is no memory.  */
void *products_make(void);

/* Nothing of an earlier product is left.  */
void products_spoil(void *result);
void products_multiply(void *result);
int products_is_right(const void *result);
