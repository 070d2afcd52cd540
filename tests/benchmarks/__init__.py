"""Speed, memory and correctness beside other tools, on data made from a seed (`make bench`).

No test asserts any of the times: a shared machine would make liars of them.
"""
