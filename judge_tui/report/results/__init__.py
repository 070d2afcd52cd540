"""The views of results as reports: each with its tables, JSON, CSV and pictures."""
