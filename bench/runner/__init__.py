"""Measures workloads on systems, verifies the results, and keeps records.  See ../METHODOLOGY.md."""
