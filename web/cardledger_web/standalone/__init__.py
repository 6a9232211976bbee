"""A match as one file of HTML, which opens without a server: its pages as every reader sees them, and what these ask for."""
