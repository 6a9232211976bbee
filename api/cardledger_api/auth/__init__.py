"""Auth: tokens, sessions and roles."""
