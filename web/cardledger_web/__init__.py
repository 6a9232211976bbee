"""The pages, and the composition root where API and pages are mounted together."""
