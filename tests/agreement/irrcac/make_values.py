"""Make values.json anew: `python -m tests.agreement.irrcac.make_values`.

irrCAC asks for an older SciPy than we do, so that it gets an environment of its own, which is gone
afterwards. What is kept are its values, standard errors and intervals on the tables below.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

VERSION = "0.4.4"
VALUES = Path(__file__).with_name("values.json")
WEIGHTS = {"none": "identity", "linear": "linear", "quadratic": "quadratic"}

# Gwet (2014), Handbook of Inter-Rater Reliability, and SAS PROC FREQ; then drawn ones.
CONFUSIONS = {
    "abstractors": [[13, 0, 0], [0, 20, 7], [0, 4, 56]],
    "diagnoses": [[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]],
    "sas": [[0, 4, 1], [0, 8, 0], [0, 1, 5]],
    "two grades": [[40, 9], [6, 45]],
    "one grade is common": [[118, 5, 0], [2, 1, 0], [0, 1, 1]],
}
# Fleiss (1971), Psychol. Bull. 76:378-382, table 1: how many of 6 raters chose each of 5 diagnoses.
FLEISS_1971 = """
    00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
    10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
    00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C.
CANONICAL = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def drawn_confusion(grades: int, pairs: int, seed: int) -> list[list[int]]:
    """Of two judges who lean to the same grade."""
    draw = random.Random(seed)
    counts = [[0] * grades for _ in range(grades)]
    for _ in range(pairs):
        first = draw.randrange(grades)
        second = first if draw.random() < 0.6 else draw.randrange(grades)
        counts[first][second] += 1
    return counts


def drawn_ratings(raters: int, units: int, missing: float, seed: int) -> list[list[int | None]]:
    """Units x raters, grades 0 to 3 of raters who see the same with noise."""
    draw = random.Random(seed)
    return [
        [
            None if draw.random() < missing else min(3, max(0, round(worth + draw.gauss(0, 0.7))))
            for _ in range(raters)
        ]
        for worth in (draw.uniform(0, 3) for _ in range(units))
    ]


def tables() -> dict[str, dict[str, list]]:
    """`confusions`: square; `ratings`: units x raters, None where a rater gave none."""
    confusions = dict(CONFUSIONS)
    for grades, pairs, seed in ((3, 30, 1), (4, 120, 2), (5, 400, 3)):
        confusions[f"drawn {grades} x {grades}"] = drawn_confusion(grades, pairs, seed)
    fleiss = [
        [grade for grade, times in enumerate(map(int, row)) for _ in range(times)]
        for row in FLEISS_1971.split()
    ]
    canonical = [
        [None if grade == "." else int(grade) for grade in unit]
        for unit in zip(*CANONICAL, strict=True)
    ]
    return {
        "confusions": confusions,
        "ratings": {
            "Fleiss 1971": fleiss,
            "Krippendorff 2011": canonical,
            "drawn, all there": drawn_ratings(4, 40, 0.0, 4),
            "drawn, some missing": drawn_ratings(5, 60, 0.3, 5),
        },
    }


def main() -> None:
    """Make the environment, work the values out in it, keep them."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, f"irrCAC=={VERSION}"], check=True)
        found = subprocess.run(
            [python, __file__, "--here"],
            input=json.dumps(tables()),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    VALUES.write_text(found.stdout)


def work_out() -> None:
    """In the environment: tables from standard input, values to standard output."""
    import numpy as np
    import pandas as pd
    from irrCAC import raw
    from irrCAC import table as square

    def told(estimate: dict) -> dict:
        est = estimate["est"]
        low, high = (float(np.squeeze(end)) for end in est["confidence_interval"])
        return {
            "value": float(np.squeeze(est["coefficient_value"])),
            "error": float(np.squeeze(est["se"])),
            "ci95": [low, high],
        }

    asked = json.load(sys.stdin)
    confusions = {}
    for name, counts in asked["confusions"].items():
        by_weights = {
            ours: square.CAC(pd.DataFrame(counts), weights=theirs, digits=15)
            for ours, theirs in WEIGHTS.items()
        }
        confusions[name] = {
            "counts": counts,
            "kappa": {ours: told(table.cohen()) for ours, table in by_weights.items()},
            "ac2": told(by_weights["quadratic"].gwet()),
        }
    ratings = {}
    for name, units in asked["ratings"].items():
        by_weights = {
            ours: raw.CAC(pd.DataFrame(units, dtype=float), weights=theirs, digits=15)
            for ours, theirs in WEIGHTS.items()
        }
        ratings[name] = {
            "units": units,
            "fleiss": told(by_weights["none"].fleiss()),
            "alpha": {
                "nominal": told(by_weights["none"].krippendorff()),
                "interval": told(by_weights["quadratic"].krippendorff()),
            },
        }
    found = {"irrCAC": VERSION, "confusions": confusions, "ratings": ratings}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    work_out() if "--here" in sys.argv else main()
