"""The file of a saved result: what it holds comes back, and what is not it is refused."""

import hashlib
import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import judge_tui
from judge_tui.baseline import changes_since, qrels_sha256, read_saved, saved_text
from judge_tui.errors import InputError
from judge_tui.formats import read_qrels
from judge_tui.model import Run
from judge_tui.scoring import score_runs
from judge_tui.significance import Verdict

SETTINGS = {"complete": False, "judged_only": False, "depth": None, "score_precision": 64}
QRELS = {f"q{number}": {"a": 1, "b": 0} for number in range(1, 9)}
IDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=4)


def runs(*best):
    """A run that has the relevant document first in the queries of these numbers, else second."""
    return [
        Run(
            "one",
            {q: {"a": 2.0 if int(q[1:]) in best else 0.5, "b": 1.0} for q in QRELS},
        )
    ]


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "base.json"
    path.write_text(saved_text(score_runs(QRELS, runs(1, 2), ["RR", "AP"]), QRELS, SETTINGS))
    return path


def test_what_is_saved_comes_back(saved):
    scores = score_runs(QRELS, runs(1, 2), ["RR", "AP"])
    earlier = read_saved(saved)
    assert earlier.measures == scores.measures
    assert earlier.settings == SETTINGS
    assert earlier.qrels_sha256 == qrels_sha256(QRELS)
    (run,) = earlier.runs
    assert (run.tag, run.query_ids) == ("one", scores["one"].query_ids)
    assert run.values == scores["one"].values
    assert run.value("RR", "q2") == 1.0
    assert run.value("RR", "q3") == 0.5
    assert run.value("RR", "q9") is None
    assert run.mean(earlier.measures[0]) == scores["one"].mean("RR")


def test_slices_are_no_part_of_it(saved):
    slices = {q: "odd" if int(q[1:]) % 2 else "even" for q in QRELS}
    scores = judge_tui.score(QRELS, runs(1, 2), ["RR", "AP"], slices=slices)
    assert scores.slices is not None
    assert saved_text(scores, QRELS, SETTINGS) == saved.read_text()


def test_bounds_are_no_part_of_it(saved):
    scores = judge_tui.score(QRELS, runs(1, 2), ["RR", "AP"], bounds=True)
    assert scores["one"].bounds is not None
    assert saved_text(scores, QRELS, SETTINGS) == saved.read_text()


def test_a_result_saved_by_json_tools_is_the_same(saved):
    # Another indentation and other line ends, as an editor or git may make them.
    document = json.loads(saved.read_text())
    saved.write_bytes(json.dumps(document, indent=4).replace("\n", "\r\n").encode())
    assert read_saved(saved).runs[0].tag == "one"


def edited(saved, change):
    document = json.loads(saved.read_text())
    change(document)
    return json.dumps(document)


def checksummed(saved, change):
    """An edit by somebody who works out the checksum as well."""
    document = json.loads(saved.read_text())
    del document["checksum"]
    change(document)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return json.dumps({**document, "checksum": hashlib.sha256(text.encode()).hexdigest()})


def better(document):
    document["runs"][0]["per_query"]["q3"]["RR"] = 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (lambda saved: "", ":1: not valid JSON: "),
        (lambda saved: "{}", ": this is not a result that judge-tui saved; give a file that"),
        (lambda saved: "[1, 2]", ": this is not a result that judge-tui saved"),
        (lambda saved: "NaN", ": this is not a result that judge-tui saved"),
        (lambda saved: "[" * 100_000, ": this is not a result that judge-tui saved"),
        (lambda saved: saved.read_text()[:-30], ": not valid JSON: "),
        (lambda saved: saved.read_text().replace("{\n", "{\n<<<<<<<\n", 1), ":2: not valid JSON: "),
        (lambda saved: edited(saved, better), ": the file was changed after it was saved; take"),
        (lambda saved: edited(saved, lambda d: d.pop("qrels_sha256")), ": the file was changed"),
        (
            lambda saved: edited(saved, lambda d: d.update(schema_version=2)),
            ": its schema_version is 2, this judge-tui knows 1; save it again",
        ),
        (
            lambda saved: checksummed(saved, lambda d: d["measures"].append("Nope@3")),
            ": it has 'Nope@3': no measure 'Nope'; save it again",
        ),
        (
            lambda saved: checksummed(saved, lambda d: d["runs"][0].pop("per_query")),
            ": the file does not hold what a saved result holds; save it again",
        ),
        (
            lambda saved: checksummed(saved, lambda d: d.update(runs=3, settings=[])),
            ": the file does not hold what a saved result holds",
        ),
        (
            lambda saved: checksummed(
                saved, lambda d: d["runs"][0]["per_query"]["q1"].update(RR=10**400)
            ),
            ": the file does not hold what a saved result holds",
        ),
        *(
            (
                lambda saved, no_number=no_number: checksummed(
                    saved, lambda d: d["runs"][0]["per_query"]["q1"].update(RR=no_number)
                ),
                ": this is not a result that judge-tui saved",
            )
            for no_number in (math.nan, math.inf, -math.inf)
        ),
    ],
)
def test_what_is_no_saved_result_is_refused_in_one_line(saved, text, message):
    saved.write_text(text(saved))
    with pytest.raises(InputError) as error:
        read_saved(saved)
    assert message in str(error.value)
    assert str(error.value).startswith(str(saved))
    assert "\n" not in str(error.value)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.binary(max_size=3), st.integers(0, 3))
def test_a_file_with_other_bytes_in_it_is_refused_or_says_the_same(saved, at, bytes_, less):
    data = saved.read_bytes()
    at %= len(data)
    saved.write_bytes(data[:at] + bytes_ + data[at + less :])
    refused = None
    try:
        assert read_saved(saved).runs[0].value("RR", "q2") == 1.0
    except InputError as error:
        refused = str(error)
    finally:
        saved.write_bytes(data)
    assert refused is None or "\n" not in refused


@given(st.binary(max_size=60))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_no_saved_result(tmp_path, data):
    (tmp_path / "any").write_bytes(data)
    with pytest.raises(InputError):
        read_saved(tmp_path / "any")


@given(st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-2, 4), min_size=1), min_size=1))
def test_the_hash_of_qrels_does_not_depend_on_their_order(qrels):
    backwards = {q: dict(reversed(grades.items())) for q, grades in reversed(qrels.items())}
    assert qrels_sha256(backwards) == qrels_sha256(qrels)


@given(
    st.dictionaries(IDS, st.dictionaries(IDS, st.integers(0, 3), min_size=1), min_size=1),
    st.data(),
)
def test_the_hash_of_qrels_tells_every_grade(qrels, data):
    query_id = data.draw(st.sampled_from(sorted(qrels)))
    doc_id = data.draw(st.sampled_from(sorted(qrels[query_id])))
    other = {q: dict(grades) for q, grades in qrels.items()}
    other[query_id][doc_id] += 1
    assert qrels_sha256(other) != qrels_sha256(qrels)


def test_the_hash_of_qrels_is_that_of_their_sorted_lines(tmp_path):
    # By hand: printf 'q1\ta\t1\nq1\tb\t0\nq10\ta\t2\n' | sha256sum
    expected = hashlib.sha256(b"q1\ta\t1\nq1\tb\t0\nq10\ta\t2\n").hexdigest()
    for text in ("q1 0 a 1\nq1 0 b 0\nq10 0 a 2\n", "q10\tx\ta\t+2\r\n\nq1 0 b 0 \nq1 0 a 1"):
        (tmp_path / "qrels").write_bytes(text.encode())
        assert qrels_sha256(read_qrels(tmp_path / "qrels")) == expected


def test_changes_are_paired_by_query(saved):
    now = score_runs(QRELS, runs(3, 4, 5, 6, 7, 8), ["RR"])
    (change,) = changes_since(read_saved(saved), now, QRELS).changes
    # Two queries fall from 1 to .5, six rise from .5 to 1: by hand.
    assert (change.before, change.now) == (0.625, 0.875)
    assert change.difference == change.delta == 0.25
    assert (change.wins, change.ties, change.losses, change.queries) == (6, 0, 2, 8)
    assert change.verdict is Verdict.NOTHING_SHOWN
    # Eight equal absolute differences: p = P(W+ <= 9 or W+ >= 27) = 2 (1 + 8 + 28) / 2^8.
    assert change.p == 2 * (1 + 8 + 28) / 2**8


def test_what_cannot_be_paired_is_undefined_and_said(saved):
    qrels = {"q1": {"a": 1}, "x": {"a": 1}}
    now = score_runs(qrels, [Run("one", {"x": {"a": 1.0}})], ["RR", "Judged@10"])
    earlier = read_saved(saved)
    (change,) = changes_since(earlier, now.only(now.measures[:1]), qrels, other_qrels=True).changes
    assert (change.queries, change.delta, change.p, change.ci95) == (0, None, None, None)
    assert set(change.why) == {"delta", "p", "ci95"}
    assert change.verdict is Verdict.TOO_FEW


def test_how_much_is_judged_is_shown_and_not_tested(tmp_path):
    scores = score_runs(QRELS, runs(1), ["Judged@10", "NumRet", "RR"])
    path = tmp_path / "base.json"
    path.write_text(saved_text(scores, QRELS, SETTINGS))
    found = changes_since(read_saved(path), scores, QRELS)
    assert [change.verdict is None for change in found.changes] == [True, True, False]
    assert found.family == 1
