"""Qrels or answers and runs, from anywhere, to scores, comparisons and gates."""
