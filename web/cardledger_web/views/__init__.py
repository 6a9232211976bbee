"""Views: the content of pages, as rows and texts ready for a template."""
