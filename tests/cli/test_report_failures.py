"""Where a system failed or found nothing, in the report of a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli


def judge_tui(*words: str) -> None:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("replies", "lines", "said"),
    [
        ({}, ("q1 x", "q2 x", "q3 x", "q9 y"), "the first 10 of each were judged."),
        (
            {"q1": "HTTP 500", "q2": "HTTP 500", "q3": ""},
            ("q9 y",),
            "it failed at 2 queries and had no result for 1 query.",
        ),
        (
            {"q1": "HTTP 500"},
            ("q2 x", "q3 x", "q9 y"),
            "the first 10 of each list were judged; it failed at 1 query.",
        ),
    ],
)
@pytest.mark.parametrize("form", ["md", "html"])
def test_judged_is_said_of_lists_alone_that_are_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    replies: dict[str, str],
    lines: tuple[str, ...],
    said: str,
    form: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("q1", "q2", "q3", "q9")
    Path("queries.jsonl").write_text(
        "".join(f'{{"query_id": "{query}", "text": "about {query}"}}\n' for query in asked)
    )
    Path("best.run").write_text("".join(f"{query} Q0 y 1 1 best\n" for query in asked))
    Path("api.run").write_text(
        "".join(f"{query} Q0 {document} 1 1 api\n" for query, document in map(str.split, lines))
    )
    Path("api.latency.csv").write_text(
        "query_id,seconds,tries,results,repeated,failure\n"
        + "".join(f"{query},1.0,1,0,0,{why}\n" for query, why in replies.items())
        + "".join(f"{line.split()[0]},1.0,1,1,0,\n" for line in lines)
    )
    Path("qrels").write_text("".join(f"{query} 0 y 1\n{query} 0 x 0\n" for query in asked))
    judge_tui("init")
    judge_tui("load", "queries", "queries.jsonl")
    judge_tui("load", "run", "best.run", "api.run")
    judge_tui("load", "qrels", "qrels", "--judge", "ann")
    judge_tui("report", "-o", f"report.{form}")
    page = Path(f"report.{form}").read_text()
    assert "What api returned instead" in page
    assert f"All proven: {said}" in page
