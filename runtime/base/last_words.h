/* A descriptor of standard error that is still there when the program has closed its own.

   Many programs, GNU's among them, close standard error as the last thing that they do, and what
   is shown at the program's end comes after that.  The descriptor has a number away from those that
   programs count on, and is not passed on to programs that this one starts.  */
#ifndef GHCOMP_BASE_LAST_WORDS_H
#define GHCOMP_BASE_LAST_WORDS_H

/* From the library's constructor, and only where something is to be shown.  */
void ghcomp_last_words_prepare(void);

/* Standard error; where the program has closed it, the one of our own; -1: neither is there.  */
int ghcomp_last_words_descriptor(void);

#endif
