"""The registry of measures: a line for every measure there is, and its file only when wanted."""

import importlib
import pkgutil
import subprocess
import sys

from judge_tui.model import Qrels, Run
from judge_tui.scoring import MEASURES, Definition, measures, parse_measure, score_run


def test_every_definition_in_the_folder_has_its_line():
    defined = [
        value
        for found in pkgutil.iter_modules(measures.__path__, f"{measures.__name__}.")
        for value in vars(importlib.import_module(found.name)).values()
        if isinstance(value, Definition)
    ]
    assert sorted(defined, key=id) == sorted(MEASURES.values(), key=id)


def test_every_line_names_its_definition():
    assert [definition.name for definition in MEASURES.values()] == list(MEASURES)
    assert "MRR" not in MEASURES
    assert parse_measure("MRR").definition is MEASURES["RR"]


def test_a_measure_is_imported_when_it_is_asked_for():
    code = (
        "import sys\n"
        "from judge_tui.scoring import MEASURES, parse_measures\n"
        "assert len(list(MEASURES)) == len(MEASURES) and 'ERR' in MEASURES\n"
        "parse_measures(['nDCG@10', 'AP'])\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    room = f"{measures.__name__}."
    imported = {name for name in done.stdout.decode().split() if name.startswith(room)}
    assert imported == {f"{room}usual"}


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
    assert changed == {name for name, one in MEASURES.items() if one.credited == "judged"}
