"""Kernels: compiled rules and bots."""
