"""Test some differences of a .npy file with SciPy: `DIFFERENCES SEED RESULT PAIRS`.

scipy.stats.permutation_test, two-sided only, 100,000 permutations; scipy.stats.bootstrap, the
percentile interval from 10,000 resamples.
"""

import json
import sys
import time

import numpy as np
from scipy import stats


def main() -> None:
    """Write the seconds of each test, without start-up, and each p to RESULT."""
    differences = np.load(sys.argv[1])[: int(sys.argv[4])]
    generator = np.random.default_rng(int(sys.argv[2]))
    begun = time.perf_counter()
    p = [
        stats.permutation_test(
            (row,),
            np.mean,
            permutation_type="samples",
            vectorized=True,
            n_resamples=100_000,
            batch=10_000,  # what fits the cache: several times faster than all at once
            rng=generator,
        ).pvalue
        for row in differences
    ]
    tested = time.perf_counter()
    for row in differences:
        stats.bootstrap((row,), np.mean, n_resamples=10_000, method="percentile", rng=generator)
    seconds = {"permutation": tested - begun, "bootstrap": time.perf_counter() - tested}
    with open(sys.argv[3], "w") as file:  # noqa: PTH123
        json.dump({"seconds": seconds, "p": [float(value) for value in p]}, file)


if __name__ == "__main__":
    main()
