"""Auth: tokens, sessions, roles, and limits for each client."""
