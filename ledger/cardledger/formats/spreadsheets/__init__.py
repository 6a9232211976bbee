"""Evenings on paper and in spreadsheets: read, recognised, checked as a whole, shown, and then stored."""
