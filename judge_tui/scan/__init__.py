"""One run read block by block in the light of the grades."""
