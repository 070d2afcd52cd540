"""No command writes a CSV in which a name from elsewhere is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.model import Scale
from tests.as_typed import judge_tui
from tests.loading_runs import load_run

COMMANDS = [
    "score QRELS A B -q -f csv",
    "score --db DB -f csv",
    "score QRELS A --by class --queries QUERIES -f csv",
    "compare QRELS A B -f csv",
    "compare --db DB --by class -f csv",
    "agreement -d DB -f csv",
    "agreement -d DB --by query -f csv",
    "results -d DB -f csv",
    "results -d DB --delta =a @b -f csv",
    "results -d DB --query =q =a @b -f csv",
    "results -d DB --failures =a -f csv",
    "results -d DB --by class -f csv",
    "results -d DB --disagreements -f csv",
    "status -d DB -f csv",
    "export judgments -d DB -o -",
    "export disagreements -d DB -o -",
    "export judgments -d DB -f quepid-book -o -",
    "export judgments -d DB -f hical -o -",
    "export run -d DB --tag =a -f results --policy min -o -",
    "export run -d DB --tag =a -f quepid-snapshot -o -",
    "export run -d DB --tag =a -f quepid-detailed --policy min -o -",
]


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign in which every name would be run by a spreadsheet."""
    (tmp_path / "queries").write_text('{"query_id": "=q", "text": "+text", "class": "@class"}\n')
    for tag, docs in (("=a", "=d -e +f"), ("@b", "-e =d @g")):
        lines = [
            f"=q Q0 {doc} {place} {9 - place} {tag}\n" for place, doc in enumerate(docs.split(), 1)
        ]
        (tmp_path / tag[1:]).write_text("".join(lines))
    (tmp_path / "one").write_text("=q 0 =d 0\n=q 0 -e 2\n=q 0 +f 0\n")
    (tmp_path / "two").write_text("=q 0 =d 1\n=q 0 -e 0\n=q 0 @g 0\n")
    scale = Scale.parse("0==no,1=+some,2=@yes")
    with create_campaign(tmp_path / "c.db", name="=1+1", scale=scale) as campaign:
        load_queries(campaign, tmp_path / "queries")
        for name in "ab":
            load_run(campaign, tmp_path / name)
        extend_pool(campaign, depth=3)
        for name, judge in (("one", "=ann"), ("two", "-bob")):
            load_judgments(campaign, tmp_path / name, judge=judge)
        yield campaign


@pytest.mark.parametrize("command", COMMANDS)
def test_no_cell_is_a_formula(hostile: Campaign, tmp_path: Path, command: str) -> None:
    places = {
        "DB": str(hostile.path),
        "QRELS": str(tmp_path / "one"),
        "QUERIES": str(tmp_path / "queries"),
        **{name.upper(): str(tmp_path / name) for name in "ab"},
    }
    words = [places.get(word, word) for word in command.split()]
    rows = list(csv.reader(io.StringIO(judge_tui(*words).stdout)))
    assert len(rows) > 1
    risky = [cell for row in rows for cell in row if cell.startswith(tuple("=+-@\t\r"))]
    assert not [cell for cell in risky if not is_number(cell)]


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
