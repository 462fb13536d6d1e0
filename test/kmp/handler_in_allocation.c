/* The same for Clang's code.
   link: -rdynamic */
#include "../situations/handler_in_allocation.c"
