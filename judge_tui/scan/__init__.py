"""Runs read block by block: only their graded documents stay."""
