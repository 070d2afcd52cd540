"""The registry of measures, and what its definitions say of them."""

from judge_tui.model import Qrels, Run
from judge_tui.scoring import MEASURES, Definition, parse_measure
from tests.scored import score_run


def test_every_line_names_its_definition():
    assert [definition.name for definition in MEASURES.values()] == list(MEASURES)
    assert "MRR" not in MEASURES
    assert parse_measure("MRR").definition is MEASURES["RR"]


def value(definition: Definition, qrels: Qrels, doc_ids: str) -> float:
    at = "" if definition.at is None else f"@{definition.at.default}"
    measure = parse_measure(definition.name + ("@5" if definition.cutoff == "required" else at))
    run = Run("r", {"q": {doc_id: float(-rank) for rank, doc_id in enumerate(doc_ids)}})
    return score_run(qrels, run, [measure]).mean(measure)


def test_which_measures_look_at_results():
    qrels = {"q": {"a": 1, "b": 0, "c": 2}}
    looking = {
        name
        for name, definition in MEASURES.items()
        if not definition.of_order
        and len({value(definition, qrels, doc_ids) for doc_ids in ("ac", "xcb", "bxya", "xyz")}) > 1
    }
    assert looking == {
        name for name, one in MEASURES.items() if one.looks_at_results and not one.of_order
    }


def test_which_measures_a_judgment_that_something_is_not_right_changes():
    # Answers never say that: these cannot be scored by them.
    now = {"a": 1, "b": 0, "c": 2}
    changed = {
        name
        for name, definition in MEASURES.items()
        if not definition.of_order
        and value(definition, {"q": now}, "axcb")
        != value(definition, {"q": {**now, "x": 0}}, "axcb")
    }
    assert {"Judged", "Unjudged", "Bpref", "infAP", "RBPResidual", "NumNonrelRet"} <= changed
    assert not any(MEASURES[name].credited for name in changed)
