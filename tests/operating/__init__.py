"""Logs, health, metrics, settings and deployment."""
