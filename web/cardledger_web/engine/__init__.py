"""The rules in a reader's browser: the same engine, games and words as on the server, in Pyodide."""
