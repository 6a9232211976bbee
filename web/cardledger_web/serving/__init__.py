"""Serving: the server, its connections, headers, log, health and metrics."""
