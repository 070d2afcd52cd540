"""Per-query values of two runs -> is the difference chance? Pure.

`compare.py` pairs scored runs and makes `comparison.py`'s Comparisons of them, as `settings.py`
asks. `registry.py` names the tests, which are in `paired_tests.py` and `resampling.py`; `family.py`
runs them, adjusts their p (`corrections.py`) and gives a verdict on each pair (`verdict.py`).
`tukey.py` tests all pairs of runs at once, `power.py` plans, and `arms.py` compares two arms task
by task, by yes and no.
"""
