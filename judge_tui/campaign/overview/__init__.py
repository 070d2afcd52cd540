"""What the lead looks at, worked out of what the store holds: arrays in, dataclasses out."""
