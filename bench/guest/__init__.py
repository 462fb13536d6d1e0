"""A QEMU guest that executes programs, for rows of the benchmarks and for tests.  See README.md."""
