"""Test all differences of a .npy file with `judge_tui.comparison`: `DIFFERENCES SEED RESULT`.

100,000 permutations (two-sided and both one-sided p) and 10,000 bootstrap resamples for each.
"""

import sys

import numpy as np

from judge_tui.comparison.resampling import bootstrap_intervals, permutation


def main() -> None:
    """Write the two-sided p of each pair to RESULT, for the bench to look at."""
    differences = np.load(sys.argv[1])
    seed = int(sys.argv[2])
    results = permutation(differences, seed)
    bootstrap_intervals(differences, seed)
    np.save(sys.argv[3], [result.p for result in results])


if __name__ == "__main__":
    main()
