"""What `make bench` prints: `python -m tests.benchmarks.bench [PART...] [--big]`.

Data is made from a seed in a temporary folder; peers are measured in the same run, on the same
files. Exit code 1 if a value that we print is wrong, 2 for bad usage.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.agreement_row import measure_agreement
from tests.benchmarks.all_pairs_row import measure_all_pairs
from tests.benchmarks.ask_row import measure_asking
from tests.benchmarks.big_screen import measure_big_campaign
from tests.benchmarks.cluster_row import measure_cluster
from tests.benchmarks.judge_screen import measure_judge_screen
from tests.benchmarks.lead_screens import measure_lead_screens
from tests.benchmarks.replay_row import measure_replay
from tests.benchmarks.scoring_rows import measure_scoring, space_lacking_for_big
from tests.benchmarks.team_row import measure_team

SEED = 20
PARTS = ("score", "compare", "pool", "agreement", "lead", "judge", "ask", "team", "cluster")


def main() -> int:
    """Measure the parts asked for, else all, and print them."""
    asked = _arguments()
    parts = asked.parts or PARTS
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        work = Path(folder)
        if asked.big and (lacking := space_lacking_for_big(work)):
            print(f"error: {lacking}", file=sys.stderr)
            return 2
        print(f"{os.cpu_count()} processors, Python {sys.version.split()[0]}, seed {SEED}\n")
        if "score" in parts:
            if not asked.trec_eval:
                print("trec_eval is not on PATH and not named: measured without it")
            wrong += measure_scoring(work, SEED, big=asked.big, trec_eval_binary=asked.trec_eval)
        if "compare" in parts:
            wrong += measure_all_pairs(work, SEED)
        if "pool" in parts:
            wrong += measure_replay(work, SEED)
        if "agreement" in parts:
            wrong += measure_agreement(work, SEED)
        if "lead" in parts:
            measure_lead_screens(work)
        if "judge" in parts:
            measure_judge_screen(work)
            measure_big_campaign(work)
        if "ask" in parts:
            wrong += measure_asking(work)
        if "team" in parts:
            measure_team(work)
        if "cluster" in parts:
            wrong += measure_cluster(work, SEED)
    for line in wrong[:20]:
        print(f"wrong: {line}", file=sys.stderr)
    if len(wrong) > 20:
        print(f"wrong: and {len(wrong) - 20:,} more", file=sys.stderr)
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--big", action="store_true", help="also 70 million lines (2.9 GB)")
    parser.add_argument("--trec-eval", metavar="FILE", help="else the one on PATH")
    asked = parser.parse_args()
    for part in asked.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; give one of {', '.join(PARTS)}")
    # A name without a slash is looked for on PATH, as a shell would.
    found = shutil.which(asked.trec_eval or "trec_eval")
    if asked.trec_eval and not found:
        parser.error(f"{asked.trec_eval} is not a program that can be run")
    asked.trec_eval = found and str(Path(found).resolve())
    return asked


if __name__ == "__main__":
    sys.exit(main())
