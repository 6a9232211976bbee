"""Tests of many clubs in one server."""
