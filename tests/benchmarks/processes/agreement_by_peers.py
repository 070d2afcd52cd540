"""Agreement by other libraries: `GRADES RESULT RESAMPLES SEED`.

GRADES is a .npy file, judges x pairs. krippendorff.alpha, ordinal, with the percentile interval of
RESAMPLES draws of as many pairs; scikit-learn's cohen_kappa_score, plain, linear and quadratic, of
every two judges, without intervals, which it does not give.
"""

import json
import sys
import time
from itertools import combinations

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score

WEIGHTS = {"kappa": None, "kappa_linear": "linear", "kappa_quadratic": "quadratic"}


def main() -> None:
    """Write the values, and the seconds of each part without start-up, to RESULT."""
    grades = np.load(sys.argv[1])
    scale = list(range(int(grades.max()) + 1))
    generator = np.random.default_rng(int(sys.argv[4]))
    begun = time.perf_counter()
    alpha = _alpha(grades, scale)
    pairs = grades.shape[1]
    for _ in range(int(sys.argv[3])):
        _alpha(grades[:, generator.integers(0, pairs, pairs)], scale)
    drawn = time.perf_counter()
    kappas = [
        {
            name: float(cohen_kappa_score(grades[a], grades[b], labels=scale, weights=weights))
            for name, weights in WEIGHTS.items()
        }
        for a, b in combinations(range(len(grades)), 2)
    ]
    seconds = {"alpha": drawn - begun, "kappas": time.perf_counter() - drawn}
    with open(sys.argv[2], "w") as file:  # noqa: PTH123
        json.dump({"seconds": seconds, "alpha": alpha, "kappas": kappas}, file)


def _alpha(grades: np.ndarray, scale: list[int]) -> float:
    return float(
        krippendorff.alpha(
            reliability_data=grades, value_domain=scale, level_of_measurement="ordinal"
        )
    )


if __name__ == "__main__":
    main()
