"""Measures workloads on systems, verifies, and keeps records.  See ../METHODOLOGY.md."""
