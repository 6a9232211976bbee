"""What whoever runs a server sees of it: its log, its health and its metrics."""
