"""The pages of a club as plain files, for any web space: what can be a file, how it is written, and where."""
