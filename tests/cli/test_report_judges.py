"""What the page of `judge-tui report` says of each judge, and what to be careful with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.events import append_event
from judge_tui.campaign.judges import add_judge, find_judge
from judge_tui.report.layout import number
from tests.report.evaluation import DB, done, make_evaluation, page


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    return tmp_path


def agreed() -> dict:
    return json.loads(done("agreement", "--db", DB, "-f", "json"))


def repeat(judge: str, pairs: int, steps: int) -> None:
    """The judge grades the first pairs again, so many steps further round the scale."""
    with open_campaign(Path(DB)) as campaign:
        found = find_judge(campaign, judge)
        assert found is not None
        first = dict(
            campaign.rows(
                "SELECT pair, grade FROM decisions WHERE judge = ? AND action = 'grade'"
                " ORDER BY pair LIMIT ?",
                (found.key, pairs),
            )
        )
        for pair, grade in first.items():
            append_event(
                campaign,
                judge=found.key,
                pair=pair,
                action="grade",
                grade=(grade + steps) % 3,
                turn=1,
            )


def give_gold(*judges: str, source: str, pairs: int = 40) -> None:
    """The grades of the file `source` are the gold grades of as many pairs."""
    lines = Path(source).read_text().splitlines()[:pairs]
    Path("gold.qrels").write_text("\n".join(lines) + "\n")
    done("assign", "--judges", ",".join(judges), "--gold", "gold.qrels")


def test_one_judge_is_shown_beside_repeats_and_gold(folder: Path) -> None:
    make_evaluation(folder, judges=("ann",))
    assert "Each judge" not in page().tables
    repeat("ann", 12, 0)
    give_gold("ann", source="ann.qrels")
    found = agreed()
    own, gold = found["self"]["ann"], found["gold"]["ann"]
    assert page().tables["Each judge"] == [
        ["judge", "repeats", "same again", "gold pairs", "as the gold"],
        [
            *("ann", "12", number(own["agreement"])),
            *(str(gold["pairs"]), number(gold["agreement"])),
        ],
    ]


def test_grades_of_files_are_not_said_to_be_given_blind(folder: Path) -> None:
    make_evaluation(folder)
    graded = sum(len(Path(f"{judge}.qrels").read_text().splitlines()) for judge in ("ann", "bob"))
    app = "Who grades in the app sees neither"
    loaded = "that the judges gave were loaded from files, however: what was seen"
    text = page().text
    assert app in text
    assert f"All {graded} grades {loaded}" in text
    with open_campaign(Path(DB)) as campaign:
        bob = find_judge(campaign, "bob")
        assert bob is not None
        moment = "2024-01-01T00:00:00Z"
        append_event(campaign, judge=bob.key, pair=1, action="grade", grade=1, painted_at=moment)
    assert f"{graded - 1} of the {graded} grades {loaded}" in page().text
    Path("bot.qrels").write_text("q00 0 d0 1\n")
    done("load", "qrels", "bot.qrels", "--judge", "bot", "--kind", "model")
    assert f"{graded - 1} of the {graded} grades" in page().text
    assert f"{graded} of the {graded + 1} grades" in page("--include-models").text


def test_grades_of_the_app_alone_are_not_said_to_be_loaded(folder: Path) -> None:
    make_evaluation(folder, judges=())
    with open_campaign(Path(DB)) as campaign:
        ann = add_judge(campaign, "ann")
        moment = "2024-01-01T00:00:00Z"
        for pair in range(1, 100):
            append_event(
                campaign, judge=ann.key, pair=pair, action="grade", grade=1, painted_at=moment
            )
    text = page().text
    assert "Who grades in the app sees neither" in text
    assert "loaded from files" not in text


def test_on_a_narrow_screen_long_cells_out_of_sight_do_not_make_rows_high(folder: Path) -> None:
    make_evaluation(folder)
    read = page()
    (table,) = [rows for title, rows in read.tables.items() if title.startswith("The order of")]
    assert table[0][5:] == ["systems that swap", "verdicts that change"]
    cells = "td:nth-child(n+6):not(.n)"
    (narrow,) = re.findall(r"@media screen and \(max-width:45rem\)\{(.*)\}\n", read.style)
    assert narrow == f"{cells}{{white-space:nowrap;max-width:none}}"
    # Nowhere else: on paper such a cell would be cut off.
    assert read.style.count(cells) == 1
