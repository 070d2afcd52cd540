"""Per-query values of two runs -> is the difference chance? Pure.

`compare.py` pairs scored runs and makes `comparison.py`'s Comparisons of them; `family.py` has the
settings, the registry of tests, the corrections and the verdict; `paired_tests.py`, `resampling.py`
and `tukey.py` the tests; `power.py` plans, and `outcomes.py` compares arms by yes and no.
"""
