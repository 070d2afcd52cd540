"""The files of `trec_eval_9_0_8` are what the binary of that tag prints for `messy.qrels` and
`messy.run` beside them, which have: ties, ids beyond ASCII, tabs, a grade of 12, negative grades,
a query with negative grades only, one with zeros only, queries without results or without grades.
"""

from pathlib import Path

import pytest

from judge_tui.errors import UsageError
from judge_tui.formats import read_qrels, read_run
from judge_tui.model import Run
from judge_tui.report import FORMS, render
from judge_tui.report.measures import measures_report
from judge_tui.report.trec import trec_lines
from judge_tui.scoring import MEASURES, score_runs
from judge_tui.scoring.trec import trec_plan

FOLDER = Path(__file__).parent / "trec_eval_9_0_8"

PARAMETERS = [
    "utility.2,-.5,-1,0",
    "P.7,3",
    "P.5",  # the first list for P holds
    "set_F.0.5",
    "ndcg.1=3,2=9,0=-1",
    "iprec_at_recall.0.125,.5",
    "relstring.14",
    "success",
    "Rprec_mult.1,.5",
    "11pt_avg.0.2,0.5,0.8",
    "yaap",
    "runid",
    "Rndcg.1=5",
    "G.3=1",
    "ndcg_rel.2=6",
]


def printed(names=(), *, rel=1, per_query=False, qrels=None, run=None, **rules):
    qrels = qrels or read_qrels(FOLDER / "messy.qrels")
    run = run or read_run(FOLDER / "messy.run")
    plan = trec_plan(names, rel=rel)
    return trec_lines(score_runs(qrels, [run], plan.measures, **rules), plan, per_query=per_query)


@pytest.mark.parametrize(
    ("file", "names", "options"),
    [
        ("default", [], {}),
        ("q_c", ["official"], {"per_query": True, "complete": True}),
        ("all_trec_q", ["all_trec"], {"per_query": True}),
        ("all_trec_c_l2", ["all_trec"], {"complete": True, "rel": 2}),
        (
            "q_J_M9",
            [
                "P.5",
                "gm_bpref",
                "relstring",
                "num_nonrel_judged_ret",
                "infAP",
                "bpref",
                "ndcg",
                "set",
                "map",
            ],
            {"per_query": True, "judged_only": True, "depth": 9},
        ),
        ("parameters_q", PARAMETERS, {"per_query": True}),
    ],
)
def test_every_byte_is_that_of_trec_eval(file, names, options):
    assert printed(names, **options) == (FOLDER / f"{file}.txt").read_text(encoding="utf-8")


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
    lines = [line.name for line in trec_plan(names).lines]
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


@pytest.mark.parametrize(("depth", "expected"), [(None, "01-32"), (3, "01-"), (2, "01")])
def test_relstring_ends_where_the_list_is_cut(depth, expected):
    # trec_eval 9.0.8, -q -m relstring.5, with -M 3 and -M 2.
    qrels = {"q": {"a": 1, "b": 2, "c": 0, "d": 3, "e": 1}}
    run = Run("r", {"q": {"c": 9.0, "a": 8.0, "x": 7.0, "d": 6.0, "b": 5.0}})
    out = printed(["relstring.5"], qrels=qrels, run=run, per_query=True, depth=depth)
    assert out == f"relstring_5           \tq\t'{expected}'\n"


@pytest.mark.parametrize("name", ["relstring.0", "relstring.x", "relstring.1001", "relstring.-1"])
def test_a_length_that_relstring_cannot_have_is_refused(name):
    with pytest.raises(UsageError, match="does not fit relstring"):
        trec_plan([name])


@pytest.mark.parametrize("form", FORMS)
def test_every_measure_is_listed_in_every_form(form):
    text = render(measures_report(), form)
    for definition in MEASURES.values():
        assert definition.name in text
        for alias in definition.aliases:
            assert alias in text
