"""One screen, one class, one file."""
