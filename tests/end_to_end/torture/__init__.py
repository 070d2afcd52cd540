"""Harm done on purpose: kills at random instants, crowds, full disks, files taken away.

The tests run short forms; `make torture` runs long ones: `python -m tests.end_to_end.torture`.
"""
