"""A campaign scores as its exported files do, whatever is in it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.standing import runs_now
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.model import DEFAULT_SCALE
from judge_tui.scoring import parse_measures
from tests.as_typed import invoke, judge_tui
from tests.campaigns import grade_by_file, load_run
from tests.properties import dear

QUERIES = [f"q{number}" for number in range(5)]
DOCUMENTS = [f"d{number}" for number in range(5)]
MEASURES = ["nDCG@10", "RR@10", "P@2", "R@5", "AP", "Judged@10"]
LATENCY = "query_id,seconds,tries,results,repeated,failure\n"

_lists = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(1, 4), min_size=1),
    min_size=1,
)
# Of the queries that a run has no results for: "" it found nothing, else why it failed.
_in_vain = st.dictionaries(st.sampled_from(QUERIES), st.sampled_from(["", "HTTP 500"]))
_pairs = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS))
_grades = st.dictionaries(_pairs, st.integers(0, 3), min_size=1)


@dear
@given(
    runs=st.lists(st.tuples(_lists, _in_vain), min_size=2, max_size=3),
    judges=st.lists(_grades, min_size=1, max_size=3),
    settled=st.lists(st.integers(0, 3), max_size=3),
    policy=st.sampled_from(["majority", "median", "mean-rounded", "max", "judge:j0"]),
)
def test_the_same_numbers(runs, judges, settled, policy):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        db = ["--db", str(folder / "c.db")]
        with create_campaign(folder / "c.db", name="c", scale=DEFAULT_SCALE, seed=1) as campaign:
            _fill(campaign, folder, runs, judges, settled)
        qrels = str(folder / "out.qrels")
        policed = [*db, "--policy", policy]
        judge_tui("export", "qrels", *policed, "--unresolved", "skip", "-o", qrels)
        files = [str(folder / f"r{place}.exported.run") for place in range(len(runs))]
        for place, file in enumerate(files):
            judge_tui("export", "run", *db, "--tag", f"r{place}", "-o", file)
        with open_campaign(folder / "c.db") as campaign:
            # As `results` and the report have it, in arrays.
            judged = runs_now(campaign, policy=policy).judged
        scored = _numbers("score", "runs", *policed)
        for measure in parse_measures(MEASURES) if scored != "refused" else ():
            means = [run["mean"][measure.name] for run in scored]
            expected = [np.nan if mean is None else mean for mean in means]
            np.testing.assert_array_equal(judged.means(measure), expected)
        for command, key in (("score", "runs"), ("compare", "comparisons")):
            more = ["-q"] if command == "score" else []
            assert _numbers(command, key, *policed, *more) == _numbers(
                command, key, qrels, *files, *more
            )


def _fill(
    campaign: Campaign,
    folder: Path,
    runs: list[tuple[dict[str, dict[str, int]], dict[str, str]]],
    judges: list[dict[tuple[str, str], int]],
    settled: list[int],
) -> None:
    (folder / "queries.tsv").write_text("".join(f"{query}\tfind {query}\n" for query in QUERIES))
    load_queries(campaign, folder / "queries.tsv")
    for place, (lists, in_vain) in enumerate(runs):
        path = folder / f"r{place}.run"
        path.write_text(
            "".join(
                f"{query} Q0 {doc} 1 {score} r{place}\n"
                for query, scores in lists.items()
                for doc, score in scores.items()
            )
        )
        if in_vain:
            asked = {query: (len(lists.get(query, ())), why) for query, why in in_vain.items()}
            asked |= {query: (len(scores), "") for query, scores in lists.items()}
            rows = (f"{query},0.5,1,{found},0,{why}\n" for query, (found, why) in asked.items())
            path.with_suffix(".latency.csv").write_text(LATENCY + "".join(rows))
        load_run(campaign, path)
    extend_pool(campaign, depth=3)
    for place, grades in enumerate(judges):
        lines = (f"{query} 0 {doc} {grade}\n" for (query, doc), grade in grades.items())
        grade_by_file(campaign, f"j{place}", "".join(lines))
    lead = add_judge(campaign, "lead", role="lead")
    for pair, grade in zip(sorted(pair_keys(campaign).values()), settled, strict=False):
        settle(campaign, lead, pair, grade)


def _numbers(command: str, key: str, *words: str) -> Any:
    """What a command says of the runs, or why it refuses to."""
    result = invoke(command, *words, *(f"-m{name}" for name in MEASURES), "-f", "json")
    assert result.exit_code in (0, 2), result.output
    return json.loads(result.stdout)[key] if result.exit_code == 0 else "refused"
