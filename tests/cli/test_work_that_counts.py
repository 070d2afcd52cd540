"""What `status` and `report` say of the judges' work: who is to judge, and whose grades count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.judges import add_judge
from tests.report.evaluation import DB, done, make_evaluation


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    make_evaluation(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_lead_who_only_settles_has_nothing_left_to_judge() -> None:
    with open_campaign(Path(DB)) as campaign:
        settle(campaign, add_judge(campaign, "lea", role="lead"), 1, 1)
    found = json.loads(done("status", "--db", DB, "-f", "json"))["judges"]
    [lead] = [judge for judge in found if judge["judge"] == "lea"]
    assert (lead["pairs"], lead["graded"], lead["left"]) == (0, 0, 0)


@pytest.fixture
def partly(folder: Path) -> Path:
    """The people have graded the first eight of the 24 queries, a model all of them."""
    (folder / "part").mkdir()
    make_evaluation(folder / "part", judges=())
    for name in ("ann", "bob"):
        lines = (folder / f"{name}.qrels").read_text().splitlines()
        (folder / "some.qrels").write_text("\n".join(one for one in lines if one < "q08") + "\n")
        done("load", "qrels", "some.qrels", "--judge", name, "--db", f"part/{DB}")
    done("load", "qrels", "bob.qrels", "--judge", "gpt", "--kind", "model", "--db", f"part/{DB}")
    (folder / DB).unlink()
    (folder / "part" / DB).rename(folder / DB)
    return folder


def status(form: str = "json") -> str:
    return done("status", "--db", DB, "-f", form)


@pytest.mark.usefixtures("partly")
def test_status_covers_by_the_grades_that_count_and_tells_of_the_others() -> None:
    found = json.loads(status())
    # All eight documents of a query are in each run.
    assert [(run["judged"], run["results"]) for run in found["coverage"]] == [(64, 192)] * 3
    [whole] = found["campaign"]
    assert (whole["judged"], whole["to_judge"], whole["graded_by_models_alone"]) == (64, 128, 128)
    assert found["settings"]["include_models"] is False
    assert any(
        "33 % of its top 10 judged" in one["step"] and one["step"].endswith("128 to judge")
        for one in found["next"]
    )
