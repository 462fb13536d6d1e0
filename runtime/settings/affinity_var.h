/* affinity-format-var: the text that OMP_AFFINITY_FORMAT or omp_set_affinity_format gave.  Spec: 5.2, 18.3.9.  */
#ifndef GHCOMP_SETTINGS_AFFINITY_VAR_H
#define GHCOMP_SETTINGS_AFFINITY_VAR_H

/* Replaces the text.  */
void ghcomp_affinity_var_set(const char *format);

/* A copy, to be released.  */
char *ghcomp_affinity_var_copy(void);

/* In a forked child: nobody else holds the lock.  */
void ghcomp_affinity_var_after_fork(void);

#endif
