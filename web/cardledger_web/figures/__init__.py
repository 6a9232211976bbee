"""Figures: rows in, a Plotly figure out."""
