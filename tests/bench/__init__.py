"""Benchmarks: figures and ratios on standard output; nothing here fails a build."""
