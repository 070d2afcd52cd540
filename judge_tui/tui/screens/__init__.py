"""The screens and their overlays; each has its .tcss beside it."""
