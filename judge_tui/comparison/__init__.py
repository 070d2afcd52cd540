"""Per-query values of two runs -> is the difference chance? Pure.

`pairs.py` pairs scored runs, and `compare.py` makes `comparison.py`'s Comparisons of them, block by
block, as `settings.py` asks. `family.py` runs the tests, which are in `paired_tests.py` and
`resampling.py`, adjusts their p and gives a verdict on each pair. `tukey.py` tests all pairs of
runs at once, and `power.py` plans.
"""
