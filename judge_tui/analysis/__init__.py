"""What people look at next: runs in the light of the grades of the moment, as arrays. Pure: arrays
and dataclasses in, arrays and dataclasses out. What is needed is imported from its own module.
"""
