"""Resources: one module for each subject of the API."""
