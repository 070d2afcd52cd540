"""What trec_eval prints for `messy.qrels` and `messy.run`, which have: ties, ids beyond ASCII,
several blanks, a grade of 12, negative grades, a query with negative grades only, one with zeros
only, queries without results or without grades.

`trec_eval/9_*.txt` and `10_*.txt` are the outputs of the tags `trec_eval-9.0.8` and `v10.0`; of
others only the sha256 stands here. All of them without `relstring` and the experimental measures,
which are not printed here.
"""

from hashlib import sha256
from pathlib import Path

import pytest

from judge_tui.formats.whole_files import read_qrels, read_run
from judge_tui.model import Run
from judge_tui.report import FORMS, render
from judge_tui.report.measures import measures_report
from judge_tui.scoring import MEASURES
from judge_tui.scoring.trec_eval import trec_lines, trec_plan
from tests.scored import score_runs

FOLDER = Path(__file__).parent / "trec_eval"

PARAMETERS = [
    *("P.7,3", "P.5"),  # the first list for P holds
    *("set_F.0.5", "ndcg.1=3,2=9,0=-1", "iprec_at_recall.0.125,.5", "success", "Rprec_mult.1,.5"),
    "runid",
]
WITHOUT_IPREC = ["P.5", "gm_bpref", "num_nonrel_judged_ret", "infAP", "bpref", "ndcg", "set", "map"]
WITHOUT_RBP = ["official", "set", "ndcg", "infAP", "unj", "rbp_resid", "gm_bpref"]


def printed(
    names=(), *, rel=1, version=10, per_query=False, binary=False, qrels=None, run=None, **rules
):
    qrels = qrels or read_qrels(FOLDER / "messy.qrels")
    if binary:
        qrels = {q: {d: min(grade, 1) for d, grade in its.items()} for q, its in qrels.items()}
    run = run or read_run(FOLDER / "messy.run")
    plan = trec_plan(names, rel=rel, version=version)
    return trec_lines(score_runs(qrels, [run], plan.measures, **rules), plan, per_query=per_query)


QUERIES = {"per_query": True}
COMPLETE = {"per_query": True, "complete": True}
CONDENSED = {**COMPLETE, "judged_only": True, "depth": 9}

RECORDED = {
    "9_q_J_M9": (WITHOUT_IPREC, {**QUERIES, "judged_only": True, "depth": 9}),
    "9_parameters_q": (PARAMETERS, QUERIES),
    "10_parameters_q_c": ([*PARAMETERS, "unj.3,7"], COMPLETE),
}


@pytest.mark.parametrize("name", RECORDED)
def test_every_byte_is_that_of_trec_eval(name):
    names, options = RECORDED[name]
    version = int(name.partition("_")[0])
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert printed(names, version=version, **options) == expected


BINARY = {**COMPLETE, "binary": True}  # every grade above 0 is 1: what rbp of 10.0 is made for
DIGESTS = [
    (9, [], {}, "ae3770ce32558105"),
    (9, ["official"], COMPLETE, "4a18ab7689cdefd6"),
    (9, ["all_trec"], QUERIES, "3e3a2db28e093b67"),
    (9, ["all_trec"], {"complete": True, "rel": 2}, "bd4c54f778eb524a"),
    (10, [], {"complete": True}, "2d6006882d684551"),
    (10, ["official"], COMPLETE, "a40983f8b9716758"),
    (10, WITHOUT_RBP, COMPLETE, "098b9838937c5b82"),
    (10, WITHOUT_RBP, {**COMPLETE, "rel": 2}, "535ce7e5cc10818c"),
    (10, WITHOUT_IPREC, CONDENSED, "f20cecd6c615636d"),
    (10, ["all_trec"], BINARY, "ad47f118976efab3"),
    (10, ["rbp", "rbp_resid", "unj.4"], {**BINARY, "rel": 2}, "29d101e9af475347"),
    (10, ["rbp_resid", "unj.4"], CONDENSED, "ff1f9045fcf6ce0a"),
    (10, ["rbp_resid.p=.5", "utility"], QUERIES, "209c246b325bc393"),
]


@pytest.mark.parametrize(("version", "names", "options", "digest"), DIGESTS)
def test_every_other_output_is_that_of_trec_eval(version, names, options, digest):
    out = printed(names, version=version, **options)
    assert sha256(out.encode()).hexdigest()[:16] == digest


def test_several_runs_stand_one_below_the_other_as_several_calls_print_them():
    qrels = {"q": {"a": 1}}
    runs = [Run("one", {"q": {"a": 1.0}}), Run("two", {"q": {"b": 1.0}})]
    plan = trec_plan(["map", "runid"])
    assert trec_lines(score_runs(qrels, runs, plan.measures), plan) == (
        "runid                 \tall\tone\n"
        "map                   \tall\t1.0000\n"
        "runid                 \tall\ttwo\n"
        "map                   \tall\t0.0000\n"
    )


def test_our_names_stand_where_trec_eval_has_the_same_measure_and_else_at_the_end():
    names = ["ERR@20", "nDCG@10", "AP(rel=2)", "AP", "P@5", "P_10", "IPrec@0.5"]
    lines = [line.name for line in trec_plan(names, version=9).lines]
    assert lines == [
        "map",
        "iprec_at_recall_0.50",
        "P_5",
        "P_10",
        "ndcg_cut_10",
        "ERR@20",
        "AP(rel=2)",
    ]
    assert [line.name for line in trec_plan(["AP(rel=2)", "AP"], rel=2).lines] == ["map"]
    # 10.0 rounds another way, and so has not the same measure.
    assert [line.name for line in trec_plan(["IPrec@0.5"]).lines] == ["IPrec@0.5"]


def test_a_topic_that_the_run_lacks_is_passed_over_without_c():
    # 10.0 stops there, in the midst of its lines; 9 goes on.
    assert printed(WITHOUT_IPREC, **QUERIES) == printed(WITHOUT_IPREC, version=9, **QUERIES)


def test_a_control_character_never_reaches_the_terminal():
    out = printed(["runid"], qrels={"q": {"a": 1}}, run=Run("\x1b[2J", {"q": {"a": 1.0}}))
    assert "\x1b" not in out


def test_a_list_that_was_emptied_has_no_precision_where_trec_eval_divides_by_0():
    out = printed(
        ["iprec_at_recall.0", "11pt_avg"],
        qrels={"q": {"a": 1}},
        run=Run("r", {"q": {"unjudged": 1.0}}),
        judged_only=True,
    )
    assert [line.split("\t")[2] for line in out.splitlines()] == ["0.0000", "0.0000"]


@pytest.mark.parametrize("form", FORMS)
def test_every_measure_is_listed_in_every_form(form):
    text = render(measures_report(), form)
    for definition in MEASURES.values():
        assert definition.name in text
        for alias in definition.aliases:
            assert alias in text
