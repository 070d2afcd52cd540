"""What runs stand beside may be nothing that a gate can be held to; a gate of another run is not
about that. Nor is a run that finds nothing shown to be no worse by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.cli.gates import Basis
from judge_tui.scoring import parse_gate


@pytest.mark.parametrize("basis", [Basis("b", 10, 9, tag="b"), Basis("b", 10, 3, 2, tag="b")])
@pytest.mark.parametrize(
    ("gate", "doubted"), [("RR>=baseline", True), ("b:RR>=baseline", True), ("c:RR>=.5", False)]
)
def test_only_a_gate_of_the_run_beside_it_is_doubted(basis, gate, doubted):
    told = list(basis.doubts(parse_gate(gate)))
    assert len(told) == doubted
    assert all("so that nothing can be held to it" in one for one in told)


def test_what_no_single_run_stands_beside_is_a_matter_of_every_gate():
    assert len(list(Basis("the baseline", 10, 9).doubts(parse_gate("c:RR>=baseline")))) == 1


@pytest.mark.parametrize(
    ("in_vain", "failed", "doubted"), [(1, 1, 0), (2, 2, 1), (5, 0, 0), (6, 0, 1)]
)
def test_a_run_that_failed_or_found_nothing_is_not_shown_to_be_no_worse(in_vain, failed, doubted):
    held = Basis("new", 10, in_vain, failed, is_held=True)
    told = list(held.doubts(None))
    assert len(told) == doubted
    assert all("new" in one and "so that nothing is shown of it" in one for one in told)
    # A number goes by what is lost, and says it itself.
    assert not list(held.doubts(parse_gate("nDCG@10>=baseline-0.01")))


@pytest.mark.parametrize("lost", [4, 5])
def test_of_run_files_too_a_loss_that_no_test_shows_is_no_pass(lost: int, tmp_path: Path):
    """The old run is right once in eight queries; the new one has no results for most of them."""
    ids = [f"q{number}" for number in range(8)]

    def run(tag: str, queries: list[str]) -> str:
        return "".join(f"{query_id} Q0 d{query_id == 'q0'} 1 1 {tag}\n" for query_id in queries)

    (tmp_path / "qrels").write_text("".join(f"{query_id} 0 d1 1\n" for query_id in ids))
    (tmp_path / "old.run").write_text(run("it", ids))
    (tmp_path / "new.run").write_text(run("it", ids[: 8 - lost]))
    qrels, old, new, saved = (
        str(tmp_path / name) for name in ("qrels", "old.run", "new.run", "base.json")
    )
    why = f"found nothing for {lost} of 8 queries, so that nothing is shown of it"
    gate = ("--complete", "-m", "P@1", "--require", "no-regression")
    invoked = [
        CliRunner().invoke(cli, ["compare", qrels, f"old={old}", f"new={new}", *gate]),
        CliRunner().invoke(cli, ["score", qrels, old, "--complete", "-m", "P@1", "--save", saved]),
        CliRunner().invoke(cli, ["score", qrels, new, "--against", saved, *gate]),
    ]
    assert [one.exit_code for one in invoked] == [int(lost > 4), 0, int(lost > 4)]
    assert [why in one.stderr for one in invoked] == [lost > 4, False, lost > 4]
