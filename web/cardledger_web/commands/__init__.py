"""Commands of the web part: serve, demo and config."""
