"""`--save` and `--against`: what is kept, what is refused, and the numbers of the comparison."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.api import compare, score
from judge_tui.comparison.comparison import Comparisons
from judge_tui.errors import InputError
from judge_tui.evaluation.saved_scores import (
    SavedScores,
    compare_with_saved,
    load_scores,
    qrels_sha256,
    save_scores,
)
from judge_tui.model import Run
from judge_tui.scoring import Scores, parse_measures

QRELS = {f"q{at:02}": {"a": 1, "b": 0} for at in range(10)}
BASIS = {"complete": False, "judged_only": False, "depth": None, "score_precision": 64}
FIRST, SECOND = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
OLD = Run("it", {**dict.fromkeys(QRELS, SECOND), "q00": FIRST})
NEW = Run("it", dict.fromkeys(QRELS, FIRST))


def scored(*runs: Run, **more: object) -> Scores:
    return score(QRELS, runs, ["RR", "Judged@2"], **more)  # type: ignore[arg-type]


SHA256 = qrels_sha256(QRELS)


def beside(saved: SavedScores, scores: Scores) -> Comparisons:
    return compare_with_saved(saved, scores, SHA256, scores.measures)


def kept(path: Path, scores: Scores) -> Path:
    save_scores(path, scores, SHA256)
    return path


def test_what_is_kept_comes_back_and_is_the_same_bytes(tmp_path: Path) -> None:
    path = kept(tmp_path / "a.json", scored(OLD))
    saved = load_scores(path)
    assert saved.scores["it"].values["RR"] == (1.0, *[0.5] * 9)
    assert saved.settings == BASIS
    assert kept(tmp_path / "b.json", scored(OLD)).read_bytes() == path.read_bytes()
    document = json.loads(path.read_text())
    assert document["schema_version"] == 1
    assert document["runs"][0]["mean"] == {"RR": 0.55, "Judged@2": 1.0}


def test_it_is_compared_as_compare_does(tmp_path: Path) -> None:
    found = beside(load_scores(kept(tmp_path / "a.json", scored(OLD))), scored(NEW))
    before = Run("before", OLD.scores)
    [expected] = compare(QRELS, [before, NEW], "RR")
    [one] = found
    # Judged@2 is no quality, and not compared.
    assert (one.measure, one.baseline, one.tag) == ("RR", "it (earlier)", "it")
    for name in ("queries", "delta", "ci95", "wins", "losses", "tests", "p_adjusted", "verdict"):
        assert getattr(one, name) == getattr(expected, name), name
    # Nine queries rise by as much: W is 45, and p 2 / 2^9.
    assert one.tests["wilcoxon"].p == 2 / 2**9


def test_only_queries_of_both_are_compared_and_a_lost_run_is_told(tmp_path: Path) -> None:
    two = score(QRELS, {"it": OLD, "gone": OLD}, "RR")
    saved = load_scores(kept(tmp_path / "a.json", two))
    some = Run("it", dict.fromkeys(list(QRELS)[:7], FIRST))
    found = beside(saved, score(QRELS, some, "RR"))
    assert ([one.queries for one in found], found.gone) == ([7], ("gone",))


def test_slices_are_compared_each_by_itself(tmp_path: Path) -> None:
    saved = load_scores(kept(tmp_path / "a.json", scored(OLD)))
    slices = {q: "even" if at % 2 == 0 else "odd" for at, q in enumerate(QRELS)}
    found = beside(saved, scored(NEW, slices=slices))
    assert [(one.slice, one.queries, one.wins) for one in found] == [("even", 5, 4), ("odd", 5, 5)]


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        ({"complete": True}, "false", "true"),
        ({"depth": 5}, "null", "5"),
        ({"precision": 32}, "64", "32"),
        ({"ignore_self": True}, "null", "true"),
    ],
)
def test_other_settings_are_refused(
    tmp_path: Path, change: dict[str, object], before: str, after: str
) -> None:
    [name] = change
    name = {"precision": "score_precision"}.get(name, name)
    one, other = scored(OLD), scored(OLD, **change)
    saved = load_scores(kept(tmp_path / "a.json", one))
    saved.refuse_others(one, SHA256)
    with pytest.raises(InputError, match=f"it was made with {name} {before}, not {after}"):
        saved.refuse_others(other, SHA256)
    saved = load_scores(kept(tmp_path / "b.json", other))
    with pytest.raises(InputError, match=f"it was made with {name} {after}, not {before}"):
        saved.refuse_others(one, SHA256)


def test_other_grades_measures_and_runs_are_refused(tmp_path: Path) -> None:
    saved = load_scores(kept(tmp_path / "a.json", scored(OLD)))
    changed = {**QRELS, "q03": {"a": 0, "b": 1}}
    with pytest.raises(InputError, match="it was made with other grades"):
        saved.refuse_others(scored(OLD), qrels_sha256(changed))
    with pytest.raises(InputError, match=r"it has no values by P@1, but by RR, Judged@2"):
        saved.refuse_others(scored(OLD).only(parse_measures("P@1")), SHA256)
    with pytest.raises(InputError, match="it has no run 'other', but 'it'"):
        beside(saved, scored(Run("it", NEW.scores), Run("other", NEW.scores)))
    with pytest.raises(InputError, match="name it as it was, such as it=FILE"):
        beside(saved, scored(Run("other", NEW.scores)))
    few = load_scores(kept(tmp_path / "b.json", scored(Run("it", {"q00": FIRST}))))
    with pytest.raises(InputError, match="no query of 'it' is in both"):
        beside(few, scored(Run("it", {"q01": FIRST})))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"measures": ["RR"], "settings": {}}'])
def test_what_is_no_saved_result_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match="save it again"):
        load_scores(tmp_path / "x.json")
