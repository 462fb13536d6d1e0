/* Why the substrate in force is in force: for `ghcomp info`.  */
#ifndef GHCOMP_THREADS_CHOICE_H
#define GHCOMP_THREADS_CHOICE_H

/* Part of a sentence, static storage.  */
const char *ghcomp_choice_reason(void);

#endif
